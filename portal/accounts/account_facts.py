"""What the desks know of an account: each registers here how it is asked, from `AppConfig.ready`.

So that one desk decides with what the others know, without the desks knowing each other.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date

from portal.accounts.links import Link
from portal.accounts.merged_accounts import MergedAccount, customers_of
from portal.accounts.models import Account

REQUESTS, VIEWERS, QUESTIONNAIRES, CONTRACTS, COMMITMENTS = "requests", "viewers", "questionnaires", "contracts", "commitments"
"""The names under which the desks tell what they know."""
TITLES = {
    REQUESTS: "Access requests",
    VIEWERS: "Viewers",
    QUESTIONNAIRES: "Questionnaires",
    CONTRACTS: "Contracts",
    COMMITMENTS: "Commitments",
}


@dataclass(frozen=True, kw_only=True)
class AccountFacts:
    """What one desk knows of one account."""

    number: int
    """How many things of its kind belong to the account."""
    finished: int = 0
    """How many of them are over and done."""
    latest: date | None = None
    """The day of the newest that has one: when a contract was executed."""
    description: str
    """For people: `3 contracts, the latest of 4 May 2026`."""


type Load = Callable[[Set[str]], Mapping[str, AccountFacts]]
"""Takes account ids, returns what is known of those of which anything is. Runs in the tenant's scope, in a few queries."""
type Describe = Callable[[int, int, date | None], str]
"""Puts the number, the finished ones and the latest day into words."""
type ListUrl = Callable[[Account], Link]
"""Says where the desk lists what belongs to an account."""


@dataclass(frozen=True)
class AccountDesk:
    """How a desk is asked about accounts, the live area that its answers change with, and where it lists what it has."""

    load: Load
    area: str
    list_url: ListUrl
    describe: Describe | None = None

    def combine(self, known: Sequence[AccountFacts]) -> AccountFacts:
        """Make one of what is known of several accounts of a customer."""
        if len(known) == 1:
            return known[0]
        number, finished = sum(each.number for each in known), sum(each.finished for each in known)
        latest = max((each.latest for each in known if each.latest), default=None)
        words = self.describe(number, finished, latest) if self.describe else "; ".join(each.description for each in known)
        return AccountFacts(number=number, finished=finished, latest=latest, description=words)


_desks: dict[str, AccountDesk] = {}


def register_account_facts(name: str, load: Load, *, area: str, list_url: ListUrl, describe: Describe | None = None) -> None:
    """Make known how a desk is asked about accounts. `describe` words what several accounts of one customer have together."""
    _desks[name] = AccountDesk(load, area, list_url, describe)


def facts_for_accounts(
    account_ids: Set[str], *, among: Set[str] | None = None, customers: Mapping[str, MergedAccount] | None = None
) -> dict[str, dict[str, AccountFacts]]:
    """Ask the desks, all or those that are named, about the customers of these accounts: account id -> name -> what it knows.

    Of a customer with several accounts all of them count. `customers` spares looking for them where the caller has them.
    """
    wanted = frozenset(account_ids) - {""}
    found: dict[str, dict[str, AccountFacts]] = {account_id: {} for account_id in wanted}
    if not wanted:
        return found
    customers = customers_of(wanted) if customers is None else customers
    everything = frozenset().union(*(customers[each].account_ids for each in wanted))
    for name, desk in _desks.items():
        if among is None or name in among:
            looked = desk.load(everything)
            for account_id in wanted:
                parts = [looked[each] for each in sorted(customers[account_id].account_ids) if each in looked]
                if parts:
                    found[account_id][name] = desk.combine(parts)
    return found


def desks() -> Mapping[str, AccountDesk]:
    """Return every desk that knows of accounts, in the order of the names above."""
    return {name: _desks[name] for name in TITLES if name in _desks}
