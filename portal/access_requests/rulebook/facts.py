"""What rules may know of a request. Kept with each decision, so it holds no name and no address of a person."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, Self


class AccountMatch(StrEnum):
    """Which account a mail domain belongs to."""

    NONE = "none"
    ONE = "one"
    SEVERAL = "several"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One request as the rules see it."""

    domain: str = ""
    asked_at: str = ""
    """When the platform got the request, as ISO text."""
    access_level: str = ""
    is_free_mail: bool = False
    is_blocked: bool = False
    account: str = AccountMatch.NONE
    account_id: str = ""
    account_nda: str = ""
    """The platform's word: SIGNED, NOT_REQUIRED, INCOMPLETE or one that is new. Empty without one account."""
    has_contract: bool = False
    in_office_hours: bool = True
    """When it was asked."""
    is_sensitive: bool = False
    """Something that is asked for is marked as sensitive."""
    asks_unknown: bool = False
    """Something that is asked for is not in our copy: nobody can tell what it is."""
    has_harmless: bool = True
    """Something would be left to grant without what is marked as sensitive."""
    approved_before: int = 0
    """How many other requests of the same company were approved before; none for a free-mail domain, which is no company."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Self:
        """Read facts that were kept; what was not known to be a fact then is as if it were not so."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in kept.items() if name in known})
