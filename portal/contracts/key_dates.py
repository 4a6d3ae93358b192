"""The dates of contracts, day by day: for the calendar page, and for calendars of other programs."""

from calendar import Calendar
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, QuerySet
from django.utils import timezone

from portal.calendars.ical import Occasion
from portal.contracts.models import Terms

MAX_LISTED = 100
"""Below the month; of a fuller one a day is chosen."""
MAX_OCCASIONS = 1000
PAST = timedelta(days=30)
KINDS = {
    "notice": ("notice_on", {}, "Last notice day", "warn"),
    "end": ("turns_on", {"renews_itself": False}, "Ends", "bad"),
    "again": ("turns_on", {"renews_itself": True}, "Renews automatically", "info"),
    "renewal": ("renews_on", {"renews_itself": False}, "Renewal", "accent"),
}
"""Name -> column, which contracts have it, what it is called, its tone."""


@dataclass(frozen=True)
class Entry:
    """Something about a contract on a day."""

    day: date
    kind: str
    terms: Terms

    @property
    def label(self) -> str:
        return KINDS[self.kind][2]

    @property
    def tone(self) -> str:
        return KINDS[self.kind][3]


@dataclass(frozen=True)
class Day:
    """One day of the month, and how much is on it."""

    date: date
    number: int
    is_of_month: bool
    is_today: bool

    @property
    def key(self) -> str:
        return self.date.isoformat()


def _rows(kind: str) -> "QuerySet[Terms]":
    _, which, _, _ = KINDS[kind]
    return Terms.objects.filter(contract__gone_at=None, contract__isnull=False, **which)


def weeks_of(month: date) -> list[list[Day]]:
    """Give the weeks of a month from Monday on; days of its neighbours are there, without their numbers."""
    today, numbers = timezone.localdate(), dict[date, int]()
    until = (month + timedelta(days=31)).replace(day=1)
    for kind, (column, *_) in KINDS.items():
        found = _rows(kind).filter(**{f"{column}__gte": month, f"{column}__lt": until}).order_by()
        for day, number in found.values_list(column).annotate(number=Count("pk")):
            numbers[day] = numbers.get(day, 0) + number
    return [
        [Day(day, numbers.get(day, 0), day.month == month.month, day == today) for day in week]
        for week in Calendar().monthdatescalendar(month.year, month.month)
    ]


def entries(first: date, last: date, *, most: int = MAX_LISTED) -> list[Entry]:
    """What is from one day to another, in order; the first so many."""
    found: list[Entry] = []
    for kind, (column, *_) in KINDS.items():
        rows = _rows(kind).filter(**{f"{column}__gte": first, f"{column}__lte": last}).defer("notes")
        rows = rows.select_related("contract", "owner").order_by(column, "pk")
        found += [Entry(getattr(row, column), kind, row) for row in rows[:most]]
    return sorted(found, key=lambda entry: (entry.day, entry.terms.pk))[:most]


def end_of(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def occasions(today: date, url_of: Callable[[str], str]) -> Sequence[Occasion]:
    """The dates that lie a little behind and ahead, the nearest thousand, as events of whole days."""
    coming = entries(today - PAST, date.max, most=MAX_OCCASIONS)
    return [_occasion(entry, url_of) for entry in coming]


def _occasion(entry: Entry, url_of: Callable[[str], str]) -> Occasion:
    terms = entry.terms
    told: Iterable[str] = (
        f"{entry.label} on {entry.day.isoformat()}.",
        f"Notice period: {terms.notice_words}." if terms.notice_words else "",
        f"Owner: {terms.owner}." if terms.owner else "No owner yet.",
    )
    return Occasion(
        key=f"contract-{terms.pk}-{entry.kind}",
        at=entry.day,
        summary=f"{entry.label}: {terms.contract}",
        description=" ".join(filter(None, told)),
        url=url_of(terms.platform_id),
        changed_at=terms.changed_at or timezone.now(),
    )
