"""Where personal data lies: each room that keeps some registers here how it is counted and erased, from `AppConfig.ready`.

So that one request erases all copies of an address, without the rooms knowing each other (specification 4.7).
"""

from collections.abc import Callable
from dataclasses import dataclass

type Work = Callable[[str], int]
"""Takes a mail address, returns a number of rows. Runs in the tenant's scope; erasing also runs in a transaction."""


@dataclass(frozen=True)
class Holding:
    """One kind of rows with personal data."""

    name: str
    count: Work
    erase: Work


_holdings: dict[str, Holding] = {}


def fold(email: str) -> str:
    """Spell an address so that two spellings of it are equal."""
    return email.strip().casefold()


def register_holding(name: str, *, count: Work, erase: Work) -> None:
    """Make a kind of rows known. `name` is shown to people, for example `Viewers`."""
    _holdings[name] = Holding(name, count, erase)


def count(email: str) -> dict[str, int]:
    """Count the rows about an address in the tenant in scope; kinds without any are left out."""
    return _those_with_rows({holding.name: holding.count(email) for holding in _holdings.values()})


def erase(email: str) -> dict[str, int]:
    """Erase every row about an address in the tenant in scope; return their numbers by kind. Call it in a transaction."""
    return _those_with_rows({holding.name: holding.erase(email) for holding in _holdings.values()})


def _those_with_rows(numbers: dict[str, int]) -> dict[str, int]:
    return {name: number for name, number in numbers.items() if number}
