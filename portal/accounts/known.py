"""What the desks know of an account: each registers here how it is asked, from `AppConfig.ready`.

So that one desk decides with what the others know, without the desks knowing each other.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date

from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.accounts.parts import Whole, wholes_of

REQUESTS, VIEWERS, QUESTIONNAIRES, CONTRACTS, COMMITMENTS = "requests", "viewers", "questionnaires", "contracts", "commitments"
"""The names under which the desks tell what they know."""
TITLES = {
    REQUESTS: "Access requests",
    VIEWERS: "People with access",
    QUESTIONNAIRES: "Questionnaires",
    CONTRACTS: "Contracts",
    COMMITMENTS: "Commitments",
}


@dataclass(frozen=True, kw_only=True)
class Known:
    """What one desk knows of one account."""

    number: int
    """How many things of its kind belong to the account."""
    finished: int = 0
    """How many of them are over and done."""
    latest: date | None = None
    """The day of the newest that has one: when a contract was executed."""
    words: str
    """For people: `3 contracts, the latest of 4 May 2026`."""


type Look = Callable[[Set[str]], Mapping[str, Known]]
"""Takes account ids, returns what is known of those of which anything is. Runs in the tenant's scope, in a few queries."""
type Say = Callable[[int, int, date | None], str]
"""Puts the number, the finished ones and the latest day into words."""
type Place = Callable[[Account], Link]
"""Says where the desk lists what belongs to an account."""


@dataclass(frozen=True)
class Desk:
    """How a desk is asked about accounts, the live area that its answers change with, and where it lists what it has."""

    look: Look
    area: str
    place: Place
    say: Say | None = None

    def together(self, known: Sequence[Known]) -> Known:
        """Make one of what is known of several accounts of a customer."""
        if len(known) == 1:
            return known[0]
        number, finished = sum(each.number for each in known), sum(each.finished for each in known)
        latest = max((each.latest for each in known if each.latest), default=None)
        words = self.say(number, finished, latest) if self.say else "; ".join(each.words for each in known)
        return Known(number=number, finished=finished, latest=latest, words=words)


_desks: dict[str, Desk] = {}


def register_facts(name: str, look: Look, *, area: str, place: Place, say: Say | None = None) -> None:
    """Make known how a desk is asked about accounts. `say` words what several accounts of one customer have together."""
    _desks[name] = Desk(look, area, place, say)


def known_of(
    account_ids: Set[str], *, among: Set[str] | None = None, wholes: Mapping[str, Whole] | None = None
) -> dict[str, dict[str, Known]]:
    """Ask the desks, all or those that are named, about the customers of these accounts: account id -> name -> what it knows.

    Of a customer with several accounts all of them count. `wholes` spares looking for them where the caller has them.
    """
    wanted = frozenset(account_ids) - {""}
    found: dict[str, dict[str, Known]] = {account_id: {} for account_id in wanted}
    if not wanted:
        return found
    wholes = wholes_of(wanted) if wholes is None else wholes
    everything = frozenset().union(*(wholes[each].account_ids for each in wanted))
    for name, desk in _desks.items():
        if among is None or name in among:
            looked = desk.look(everything)
            for account_id in wanted:
                parts = [looked[each] for each in sorted(wholes[account_id].account_ids) if each in looked]
                if parts:
                    found[account_id][name] = desk.together(parts)
    return found


def desks() -> Mapping[str, Desk]:
    """Return every desk that knows of accounts, in the order of the names above."""
    return {name: _desks[name] for name in TITLES if name in _desks}
