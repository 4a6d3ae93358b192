"""What ends when: a month of the register, week by week."""

from calendar import Calendar
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Count
from django.utils import timezone

from portal.access_requests.models import Viewer
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.viewer_filters import span_of
from portal.page_refresh.services import cached_by_version


@dataclass(frozen=True)
class Day:
    """One day of the calendar, with the number of people whose access ends then."""

    date: date
    number: int
    is_of_month: bool
    is_today: bool
    is_over: bool

    @property
    def key(self) -> str:
        return self.date.isoformat()


def weeks_of(month: date) -> list[list[Day]]:
    """Give the weeks of a month from Monday on; days of its neighbours are there, without their numbers."""
    today, numbers = timezone.localdate(), endings(month)
    # The numbers hold days of this month alone.
    return [
        [Day(day, numbers.get(day, 0), day.month == month.month, day == today, day < today) for day in week]
        for week in Calendar().monthdatescalendar(month.year, month.month)
    ]


def endings(month: date) -> Mapping[date, int]:
    """Count the people whose access ends, by day, where the reader is."""
    zone = timezone.get_current_timezone_name()
    return cached_by_version(AREA, f"endings:{month.isoformat()}:{zone}", lambda: _count(month))


def _count(month: date) -> dict[date, int]:
    span = span_of(f"{month:%Y-%m}")
    if span is None:
        return {}
    rows = Viewer.objects.present().filter(expires_sort__gte=span[0], expires_sort__lt=span[1]).order_by()
    numbers: Counter[date] = Counter()
    for at, number in rows.values_list("expires_sort").annotate(number=Count("id")):
        numbers[timezone.localdate(at)] += number
    return dict(numbers)
