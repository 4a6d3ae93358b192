"""What stands around requests, looked up for all that a page shows: their people's other requests, and their mail domains."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from portal.access_requests.facts import Domains
from portal.access_requests.models import AccessRequest, Outcome, Viewer
from portal.page_refresh.services import area_version, cached_for_version


@dataclass(frozen=True)
class DomainHistory:
    """What a mail domain has asked for and got so far."""

    requests: int = 0
    approved: int = 0
    denied: int = 0
    viewers: int | None = 0
    """None: the list of the people with access has not been read yet."""

    @property
    def description(self) -> str:
        """Everything from this domain, this request included."""
        parts = [
            f"{self.requests} request{'' if self.requests == 1 else 's'}",
            f"{self.approved} approved" if self.approved else "",
            f"{self.denied} denied" if self.denied else "",
            "access not checked yet" if self.viewers is None else f"{self.viewers} with access" if self.viewers else "",
        ]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class Surroundings:
    """What stands around requests: the other requests of their people, and what is known about their domains."""

    waiting: dict[str, int]
    """How many requests of a person wait, by address."""
    histories: dict[str, DomainHistory]
    known: Domains

    def others_of(self, request: AccessRequest) -> int:
        """Return how many other requests of this person wait beside one that waits itself."""
        return self.waiting.get(request.folded_email, 0) - 1 if request.is_pending else 0

    @classmethod
    def load(cls, addresses: set[str], domains: set[str], *, knows_viewers: bool) -> "Surroundings":
        rows = AccessRequest.objects.waiting().filter(folded_email__in=addresses).order_by()
        waiting = dict(rows.values_list("folded_email").annotate(Count("id", distinct=True)))
        return cls(waiting, domain_histories(domains, knows_viewers=knows_viewers), Domains.load(domains))


def surroundings_of(requests: Sequence[AccessRequest], *, knows_viewers: bool) -> Surroundings:
    """Look around requests, once for as long as nothing changes that could be found there."""
    addresses = {request.folded_email for request in requests}
    domains = {request.domain for request in requests} - {""}
    key = sha256(repr((sorted(addresses), sorted(domains), knows_viewers)).encode()).hexdigest()
    load = partial(Surroundings.load, addresses, domains, knows_viewers=knows_viewers)
    return cached_for_version(area_version("access_requests", "accounts", "contracts"), f"around:{key}", load)


def domain_histories(domains: Iterable[str], *, knows_viewers: bool) -> dict[str, DomainHistory]:
    wanted = {domain for domain in domains if domain}
    with_access = _by_domain(Viewer.objects.present().active(timezone.now()), wanted)
    viewers = dict(with_access.annotate(number=Count("id")).values_list("domain", "number"))
    unknown = 0 if knows_viewers else None
    requests = _by_domain(AccessRequest.objects.present(), wanted).annotate(
        number=Count("id"),
        approved=Count("id", filter=Q(outcome=Outcome.APPROVED)),
        denied=Count("id", filter=Q(outcome=Outcome.DENIED)),
    )
    return {
        row["domain"]: DomainHistory(row["number"], row["approved"], row["denied"], viewers.get(row["domain"], unknown))
        for row in requests
    }


def _by_domain(rows: Any, domains: set[str]) -> Any:
    return rows.filter(domain__in=domains).order_by().values("domain")
