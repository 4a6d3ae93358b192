"""What the desks know of an account: each registers here how it is asked, from `AppConfig.ready`.

So that one desk decides with what the others know, without the desks knowing each other.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from datetime import date

CONTRACTS, QUESTIONNAIRES = "contracts", "questionnaires"
"""The names under which the desks tell what they know."""


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
"""Takes account ids, returns what is known of those of which anything is. Runs in the tenant's scope, in one or two queries."""

_looks: dict[str, Look] = {}


def register_facts(name: str, look: Look) -> None:
    """Make known how a desk is asked about accounts."""
    _looks[name] = look


def known_of(account_ids: Set[str]) -> dict[str, dict[str, Known]]:
    """Ask every desk about these accounts: account id -> name of the desk -> what it knows."""
    wanted = frozenset(account_ids) - {""}
    found: dict[str, dict[str, Known]] = {account_id: {} for account_id in wanted}
    for name, look in _looks.items():
        for account_id, known in look(wanted).items() if wanted else ():
            found[account_id][name] = known
    return found
