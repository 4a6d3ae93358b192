"""The arithmetic of office time: how much of it lies between two moments, and when an amount of it will have passed.

It knows weekdays, holidays, time zones and the days on which the clocks are changed; it knows no tenant and no database.
Everything is counted between `FIRST` and `LAST`; before and behind them there is no office time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

FIRST, LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
DAY_MINUTES = 24 * 60
NOTHING = timedelta(0)

type Opening = tuple[int, int] | None
"""The minutes of a day from which and until which the office is open (24:00 is 1440); None: it is closed."""
type Stretch = tuple[datetime, datetime]

USUAL_ZONE = ZoneInfo("UTC")
USUAL_DAY: Opening = (9 * 60, 17 * 60)
USUAL_WEEK: tuple[Opening, ...] = (USUAL_DAY,) * 5 + (None, None)


@dataclass(frozen=True)
class OfficeTime:
    """The hours of one office. Moments go in with any zone and come out in UTC."""

    zone: ZoneInfo = USUAL_ZONE
    week: Sequence[Opening] = USUAL_WEEK
    """Monday first."""
    holidays: frozenset[date] = frozenset()
    _known: dict[date, Stretch | None] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def has_any(self) -> bool:
        """Say whether there is any office time in a week at all."""
        return any(opening and opening[0] < opening[1] for opening in self.week)

    def between(self, start: datetime, end: datetime) -> timedelta:
        """Return how much office time lies between two moments; nothing when the second one is not later."""
        start, end = max(start.astimezone(UTC), FIRST), min(end.astimezone(UTC), LAST)
        total = NOTHING
        for opens, closes in self._stretches(start) if start < end else ():
            if opens >= end:
                break
            total += max(min(closes, end) - max(opens, start), NOTHING)
        return total

    def after(self, start: datetime, amount: timedelta) -> datetime | None:
        """Return the first moment by which that much office time has passed; None when it never will."""
        start = start.astimezone(UTC)
        if amount <= NOTHING:
            return start
        if start >= LAST:
            return None
        start, left = max(start, FIRST), amount
        for opens, closes in self._stretches(start):
            opens = max(opens, start)
            if closes - opens >= left:
                return opens + left
            left -= max(closes - opens, NOTHING)
        return None

    def opening_on(self, day: date) -> Stretch | None:
        """Return when the office opens and closes on a day where it is; None when it stays closed."""
        if day not in self._known:
            self._known[day] = self._opening_on(day)
        return self._known[day]

    def _stretches(self, start: datetime) -> Iterator[Stretch]:
        """Walk the openings in their order, from the one around a moment on."""
        if not self.has_any:
            return
        # A day earlier: where a whole day was left out by the calendar, the local date leaps.
        day, last = start.astimezone(self.zone).date() - timedelta(days=1), LAST.date()
        while day < last:
            if opening := self.opening_on(day):
                yield opening
            day += timedelta(days=1)

    def _opening_on(self, day: date) -> Stretch | None:
        opening = self.week[day.weekday()]
        if opening is None or day in self.holidays:
            return None
        opens, closes = (self._moment(day, minutes) for minutes in opening)
        return (opens, closes) if opens < closes else None

    def _moment(self, day: date, minutes: int) -> datetime:
        """Return when the clock on the wall shows that time; one that is left out there is the moment of the leap.

        A time that comes twice is the first of the two.
        """
        days, minutes = divmod(minutes, DAY_MINUTES)
        on_the_wall = datetime.combine(day + timedelta(days=days), time(*divmod(minutes, 60)))
        late, early = (on_the_wall.replace(tzinfo=self.zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        if late <= early:
            return late
        # It never was: the offset of before gives a moment behind the leap, the offset of after one ahead of it.
        before = early.astimezone(self.zone).utcoffset()
        while late - early > timedelta(seconds=1):
            middle = early + (late - early) // 2
            early, late = (middle, late) if middle.astimezone(self.zone).utcoffset() == before else (early, middle)
        return late.replace(microsecond=0)
