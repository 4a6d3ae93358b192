"""What the pages of the desk show, over several rows and rooms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from portal.accounts.known import TITLES, Known, desks, known_of
from portal.accounts.models import Account
from portal.accounts.selectors import matches_by_domain
from portal.connections.services import connection_of_tenant
from portal.customers.custom_fields import pairs_of
from portal.customers.models import NewCustomer
from portal.sync.models import Run, RunState

MOST_CREATIONS = 5


@dataclass(frozen=True)
class CustomerRow:
    """A customer with what the desks know of it."""

    account: Account
    known: dict[str, Known]

    @property
    def told(self) -> list[str]:
        """The same in words, in one order for every customer."""
        return [self.known[name].words for name in TITLES if name in self.known]


def customer_rows(accounts: Sequence[Account]) -> list[CustomerRow]:
    """Give each customer with what is known of it; a handful of queries for all."""
    known = known_of({account.platform_id for account in accounts})
    return [CustomerRow(account, known.get(account.platform_id, {})) for account in accounts]


@dataclass(frozen=True)
class Figure:
    """What one desk has of a customer, and where it lists that."""

    title: str
    number: int
    words: str
    url: str


def figures_of(account: Account, *, slug: str) -> list[Figure]:
    known = known_of({account.platform_id})[account.platform_id]
    return [
        Figure(
            title=TITLES[name],
            number=known[name].number if name in known else 0,
            words=known[name].words if name in known else "None so far",
            url=desk.place(account).url(slug) if name in known else "",
        )
        for name, desk in desks().items()
    ]


def facts_of(account: Account) -> list[tuple[str, str]]:
    """What somebody entered for a customer beyond what every customer has."""
    return [(label or "Without a label", text or "empty") for label, text in pairs_of(account)]


def tag_count(account: Account) -> int:
    """Count the tags. The platform names them by ids alone here."""
    return sum(len(entry.get("tagIds") or []) for entry in account.tags if isinstance(entry, dict))


def access_words(account: Account) -> str:
    """Say in a sentence who decides about requests of this customer's people."""
    if not account.access_config:
        return "The platform does not say how their access requests are approved."
    if not account.approves_itself:
        return "Their access requests wait for a person."
    grants = f"grants {account.grants}" if account.grants else "does not say what it grants"
    return f"The platform approves their access requests by itself and {grants}."


def twins_of(account: Account) -> list[Account]:
    """Other customers that name the same mail domain, so that nobody is matched by it."""
    match = matches_by_domain([account.domain]).get(account.domain)
    return [each for each in match.accounts if each.pk != account.pk] if match else []


def creations_shown() -> list[NewCustomer]:
    """Customers on their way, and those that did not arrive, as long as they are not there after all."""
    rows = list(NewCustomer.objects.shown(timezone.now())[:MOST_CREATIONS])
    absent = {row.domain for row in rows if row.is_absent}
    there = matches_by_domain(absent) if absent else {}
    return [row for row in rows if not row.is_absent or not _has_arrived(row, there)]


def _has_arrived(row: NewCustomer, there: dict[str, Any]) -> bool:
    accounts = there[row.domain].accounts if row.domain in there else ()
    return any(each.name.casefold() == row.name.casefold() and each.platform_id not in row.seen_before for each in accounts)


@dataclass(frozen=True)
class Readiness:
    """What stands between the tenant and its customers."""

    is_connected: bool
    was_connected: bool
    is_fetching: bool
    problem: str


def readiness() -> Readiness:
    connection = connection_of_tenant()
    run = Run.objects.filter(kind="account").first()
    is_connected = connection is not None and connection.is_active
    has_problem = is_connected and run is not None and run.state in (RunState.BLOCKED, RunState.FAILED)
    return Readiness(
        is_connected=is_connected,
        was_connected=connection is not None and connection.connected_at is not None,
        is_fetching=is_connected and (run is None or (run.is_first and not has_problem)),
        problem=run.error if run and has_problem else "",
    )
