"""Where personal data lies: each room that keeps some registers here which rows those are, from `AppConfig.ready`.

So that one request finds and erases all copies of an address, without the rooms knowing each other (specification 4.7). A room
says once which rows are about an address; searching and erasing both start from there, so that they cannot differ.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

type Rows = QuerySet[Any]
BATCH = 1000


@dataclass(frozen=True, kw_only=True)
class Holding:
    """One kind of rows with personal data."""

    name: str
    rows: Callable[[str], Rows]
    erase: Callable[..., object]
    """Takes a queryset of the room's own kind; and the address, where the rows stay without it."""
    addresses: Callable[[], Iterator[str]]
    keeps_rows: bool = False
    viewer_ids: Callable[[str], Iterable[str]] = lambda email: ()
    """The platform's ids of a person as a viewer: some of its objects name nobody but that."""

    def count(self, email: str) -> int:
        return self.rows(email).count()

    def erase_all(self, email: str) -> int:
        rows = self.rows(email)
        # The same rows to the last: what was found is what is erased, whatever a query would find a moment later.
        keys = list(rows.order_by().values_list("pk", flat=True))
        for start in range(0, len(keys), BATCH):
            part = rows.model._default_manager.filter(pk__in=keys[start : start + BATCH])
            self.erase(part, email) if self.keeps_rows else self.erase(part)
        return len(keys)


_holdings: dict[str, Holding] = {}


def fold(email: str) -> str:
    """Spell an address so that two spellings of it are equal."""
    return email.strip().casefold()


def register_holding(
    name: str,
    *,
    rows: Callable[[str], Rows],
    erase: Callable[..., object],
    addresses: Callable[[], Iterator[str]],
    keeps_rows: bool = False,
    viewer_ids: Callable[[str], Iterable[str]] = lambda email: (),
) -> None:
    """Make a kind of rows known. `name` is shown to people, for example `Viewers`.

    `rows` gives those about an address, in the tenant's scope. `erase` gets them, a part at a time and in a transaction.
    `addresses` walks all addresses that there are rows about, each once. With `keeps_rows` the rows are not the person's alone:
    `erase` gets the address too, and takes it out of them. `viewer_ids` gives the platform's ids of the person as a viewer.
    """
    _holdings[name] = Holding(
        name=name, rows=rows, erase=erase, addresses=addresses, keeps_rows=keeps_rows, viewer_ids=viewer_ids
    )


def each_once(rows: Rows, column: str = "folded_email") -> Iterator[str]:
    """Walk the addresses in a column, in batches: one statement over all of them could take longer than a statement may."""
    last, found = "", rows.order_by(column).values_list(column, flat=True).distinct()
    while batch := list(found.filter(**{f"{column}__gt": last})[:BATCH]):
        yield from batch
        last = batch[-1]


def count(email: str) -> dict[str, int]:
    """Count the rows about an address in the tenant in scope; kinds without any are left out."""
    return _those_with_rows({holding.name: holding.count(email) for holding in _holdings.values()})


def erase(email: str) -> dict[str, int]:
    """Erase every row about an address in the tenant in scope; return their numbers by kind. Call it in a transaction."""
    return _those_with_rows({holding.name: holding.erase_all(email) for holding in _holdings.values()})


def viewer_ids(email: str) -> set[str]:
    """Return the platform's ids of a person as a viewer, as far as any row tells them."""
    return {each for holding in _holdings.values() for each in holding.viewer_ids(email) if each}


def kinds() -> list[str]:
    """Return the names of all kinds of rows with personal data."""
    return sorted(_holdings)


def addresses() -> Iterator[str]:
    """Walk all addresses that the tenant in scope has rows about; one may come once for each kind."""
    for holding in _holdings.values():
        yield from holding.addresses()


def _those_with_rows(numbers: dict[str, int]) -> dict[str, int]:
    return {name: number for name, number in numbers.items() if number}
