"""The numbers behind the charts: from the daily sums wherever they hold them, else counted."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date
from functools import cached_property

from django.db.models import Count, Sum
from django.db.models.functions import TruncDate
from django.utils.formats import date_format

from portal.tenants.managers import TenantQuerySet
from portal.trust_center_activity.filters import ActivityFilters
from portal.trust_center_activity.models import DailySum
from portal.trust_center_activity.services.sums import SIDES
from portal.users.dates import in_form

MAX_POINTS = 92
"""Days that a line shows one by one; a longer one is drawn by weeks."""
SHOWN = 10


@dataclass(frozen=True)
class Share:
    """One line of a ranking."""

    key: str
    label: str
    number: int
    percent: float
    """Of the longest line, for its bar."""


class Figures:
    """What happened within some filters: over time and by each side. Days are those of UTC."""

    def __init__(self, filters: ActivityFilters) -> None:
        self._filters = filters
        self._narrowed = filters.narrowed

    @cached_property
    def total(self) -> int:
        return sum(self.per_day.values())

    @cached_property
    def per_day(self) -> dict[int, int]:
        """The number of each day on which something happened."""
        if self._is_summed:
            narrow = next(iter(self._narrowed), "")
            side = next(side for side in reversed(SIDES) if side != narrow)
            return dict(self._sums(side).values_list("day").annotate(Sum("number")))
        days = self._filters.rows().order_by().values_list(TruncDate("at", tzinfo=UTC)).annotate(Count("pk"))
        return {day.toordinal(): number for day, number in days}

    def per(self, side: str) -> Counter[str]:
        """The number of each domain, subject or type."""
        if side in self._narrowed:
            return Counter({self._narrowed[side]: self.total} if self.total else {})
        if self._is_summed:
            return Counter(dict(self._sums(side).values_list("part").annotate(Sum("number"))))
        return Counter(dict(self._filters.rows().order_by().values_list(side).annotate(Count("pk"))))

    @property
    def _is_summed(self) -> bool:
        return len(self._narrowed) < 2

    def _sums(self, side: str) -> TenantQuerySet[DailySum]:
        narrow, key = next(iter(self._narrowed.items()), ("", ""))
        first, last = self._filters.days
        return DailySum.objects.filter(cut=f"{narrow}>{side}", key=key, day__gte=first, day__lte=last).order_by()

    def line(self) -> list[tuple[str, int]]:
        """Give the points of a line over the whole period: days without anything too, weeks where it is long."""
        first, last = self._filters.days
        step = 1 if last - first < MAX_POINTS else 7
        # Counted from the end: the last point is never a piece of a week.
        ends = sorted(range(last, first - 1, -step))
        totals = Counter[int]()
        for day, number in self.per_day.items():
            totals[last - (last - day) // step * step] += number
        return [(_label(end, step), totals[end]) for end in ends]


def ranking(numbers: Counter[str], labels: Iterable[tuple[str, str]]) -> tuple[list[Share], int]:
    """Order what counts most, and say how much the others count together."""
    shown = numbers.most_common(SHOWN)
    named = dict(labels)
    longest = shown[0][1] if shown else 1
    lines = [Share(key, named.get(key) or key, number, round(100 * number / longest, 1)) for key, number in shown]
    return lines, sum(numbers.values()) - sum(line.number for line in lines)


def _label(day: int, step: int) -> str:
    at = date.fromordinal(day)
    return date_format(at, in_form("j M")) if step == 1 else f"week to {date_format(at, in_form('j M Y'))}"
