"""What happened with a customer, across all desks: each registers here how it tells it, from `AppConfig.ready`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from heapq import merge
from itertools import takewhile
from operator import attrgetter

from portal.accounts.links import Link

END_OF_TIME = datetime(9999, 1, 1, tzinfo=UTC)
WHEN = attrgetter("at")


@dataclass(frozen=True)
class Customer:
    """Whose moments are asked for."""

    account_id: str
    domain: str
    """The mail domain; empty where another customer names the same one, so that it is nobody's."""
    other_ids: frozenset[str] = frozenset()
    """Other accounts that were merged with it."""
    other_domains: frozenset[str] = frozenset()
    """Their mail domains, as far as they are nobody else's."""

    @property
    def account_ids(self) -> frozenset[str]:
        return self.other_ids | {self.account_id}

    @property
    def domains(self) -> frozenset[str]:
        """All mail domains that are this customer's alone."""
        return (self.other_domains | {self.domain}) - {""}


@dataclass(frozen=True, kw_only=True)
class TimelineEntry:
    """One thing that happened."""

    at: datetime
    title: str
    """What happened, in words for people."""
    text: str = ""
    icon: str = "circle-dot"
    tone: str = "muted"
    link: Link | None = None
    kind: str = ""
    """Which desk tells it; filled in here."""


type LoadEntries = Callable[[Customer, datetime, int], Iterable[TimelineEntry]]
"""Takes a customer, a moment and a number: returns the newest so many that are not later, in any order.

Runs in the tenant's scope, in one or two queries. Two that happened at once always come in the same order.
"""


@dataclass(frozen=True)
class TimelineSource:
    """How one desk tells moments, what they are called, and the live area that they change with."""

    title: str
    load: LoadEntries
    area: str


_sources: dict[str, TimelineSource] = {}


def register_timeline(kind: str, load: LoadEntries, *, title: str, area: str) -> None:
    """Make known how a desk tells what happened with a customer. `title` is shown to people."""
    _sources[kind] = TimelineSource(title, load, area)


def kinds() -> dict[str, str]:
    """Return the kinds of moments with their titles."""
    return {kind: source.title for kind, source in _sources.items()}


def areas() -> set[str]:
    """Return the live areas that a timeline changes with."""
    return {source.area for source in _sources.values()}


@dataclass(frozen=True)
class Position:
    """Where a page of a timeline begins: at a moment, behind so many that happened at that very moment."""

    at: datetime = END_OF_TIME
    behind: int = 0


@dataclass(frozen=True)
class Page:
    """The moments of one page, newest first, and where the next one begins."""

    moments: Sequence[TimelineEntry]
    older: Position | None


def timeline_page(customer: Customer, *, kind: str = "", since: Position | None = None, size: int = 30) -> Page:
    """Give one page of what happened with a customer, of every kind or of one."""
    position = since or Position()
    wanted = position.behind + size + 1
    loaded = [
        _entries_of(name, source, customer, position.at, wanted) for name, source in _sources.items() if kind in ("", name)
    ]
    # Each of them is in order, and equal ones stay in the order of the desks: a page begins where the one before it ended.
    found = list(merge(*loaded, key=WHEN, reverse=True))[position.behind : wanted]
    moments = found[:size]
    return Page(moments, _after(moments, position) if len(found) > size else None)


def _entries_of(kind: str, source: TimelineSource, customer: Customer, until: datetime, number: int) -> list[TimelineEntry]:
    moments = sorted(source.load(customer, until, number), key=WHEN, reverse=True)
    return [replace(moment, kind=kind) for moment in moments[:number]]


def _after(moments: Sequence[TimelineEntry], position: Position) -> Position:
    last = moments[-1].at
    behind = len(list(takewhile(lambda each: each.at == last, reversed(moments))))
    return Position(last, behind + position.behind if last == position.at else behind)
