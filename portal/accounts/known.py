"""What the desks know of an account: each registers here how it is asked, from `AppConfig.ready`.

So that one desk decides with what the others know, without the desks knowing each other.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from datetime import date

from portal.accounts.links import Link
from portal.accounts.models import Account

REQUESTS, VIEWERS, QUESTIONNAIRES, CONTRACTS = "requests", "viewers", "questionnaires", "contracts"
"""The names under which the desks tell what they know."""
TITLES = {
    REQUESTS: "Access requests",
    VIEWERS: "People with access",
    QUESTIONNAIRES: "Questionnaires",
    CONTRACTS: "Contracts",
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
type Place = Callable[[Account], Link]
"""Says where the desk lists what belongs to an account."""


@dataclass(frozen=True)
class Desk:
    """How a desk is asked about accounts, the live area that its answers change with, and where it lists what it has."""

    look: Look
    area: str
    place: Place


_desks: dict[str, Desk] = {}


def register_facts(name: str, look: Look, *, area: str, place: Place) -> None:
    """Make known how a desk is asked about accounts."""
    _desks[name] = Desk(look, area, place)


def known_of(account_ids: Set[str], *, among: Set[str] | None = None) -> dict[str, dict[str, Known]]:
    """Ask the desks about these accounts, all of them or those that are named: account id -> name -> what it knows."""
    wanted = frozenset(account_ids) - {""}
    found: dict[str, dict[str, Known]] = {account_id: {} for account_id in wanted}
    for name, desk in _desks.items():
        if wanted and (among is None or name in among):
            for account_id, known in desk.look(wanted).items():
                found[account_id][name] = known
    return found


def desks() -> Mapping[str, Desk]:
    """Return every desk that knows of accounts, in the order of the names above."""
    return {name: _desks[name] for name in TITLES if name in _desks}
