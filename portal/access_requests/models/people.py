"""What requests and viewers have in common: a person with an address, and a level of access."""

from typing import Self

from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.personal_data import fold

FULL, PARTIAL = "FULL_ACCESS", "PARTIAL_ACCESS"
LEVELS = {FULL: "Everything", PARTIAL: "Chosen documents"}


def level_label(level: str) -> str:
    """Name a level of access; an unknown one is shown as it came (platform-api 5.2)."""
    return LEVELS.get(level, level)


def domain_of(email: str) -> str:
    return fold(email).rpartition("@")[2]


class PersonQuerySet[M: SearchedModel](SearchedQuerySet[M]):
    """Chains of rows about people, as long as the platform has them."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def of_person(self, email: str) -> Self:
        return self.filter(folded_email=fold(email))
