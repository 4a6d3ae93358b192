"""Until when somebody has to be told: from the moment of an incident and a promise to a moment. It knows no database.

How a promise is read:
- Hours run from the moment itself, day and night. Regulation 1182/71 Art. 3(1) would leave out the hour that has begun; nobody
  who tells a customer should count on that.
- Days, business days and months follow Art. 3 of that regulation: the day of the event does not count, and the term ends with
  the end of its last day, at 23:59:59 where the promise is at home. A month ends with the day that bears the same number, or
  with the last one of its month where there is none.
- Business days are Monday to Friday (Art. 2(2)) without the public holidays of the promise's country, or without the office's
  own holidays where it names none.
- An end of days or months that falls on a day off stays there. Art. 3(4) would move it on; the plan is never later than any
  reading of a contract, as with the clock of deletion requests.
- A day begins and ends in the promise's own time zone, or in the office's where it names none.
- Part of a day or of a month does not count: 1.5 days are one.
- A promise in words alone has no moment.
"""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from portal.calendars.countries import countries, public_holidays
from portal.calendars.office_time import DAY_MINUTES, OfficeTime
from portal.commitments.models import Unit
from portal.users.dates import stored

SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
WHOLE_DAYS = ((0, DAY_MINUTES),) * 7
SATURDAY = 5
MAX_AMOUNTS = {Unit.HOURS.value: 87_600, Unit.DAYS.value: 3_650, Unit.BUSINESS_DAYS.value: 2_600, Unit.MONTHS.value: 120}
"""Ten years, in each unit: a slip of the pen must not keep the arithmetic busy, or lead behind the end of the calendar."""


@dataclass(frozen=True)
class Deadline:
    """Until when a promise is kept."""

    at: datetime | None
    """In UTC, the last second of it; None: it promises no moment."""
    zone: str
    """Where its days begin and end."""
    reading: str
    """How it was counted, in words."""


@dataclass(frozen=True)
class Counting:
    """Counts from the moment in which one incident was noticed. Equal promises are counted once."""

    noticed_at: datetime
    office: OfficeTime
    _known: dict[tuple[object, ...], Deadline] = field(default_factory=dict, compare=False, repr=False)

    def until(self, amount: Decimal | None, unit: str, *, zone: str = "", country: str = "") -> Deadline:
        """Return until when a promise is kept that was noticed to be due at that moment."""
        key = (amount, unit, zone, country)
        if key not in self._known:
            self._known[key] = self._until(amount, unit, zone, country)
        return self._known[key]

    def _until(self, amount: Decimal | None, unit: str, zone: str, country: str) -> Deadline:
        place = zone if zone in _zones() else str(self.office.zone)
        calendar = OfficeTime(ZoneInfo(place), WHOLE_DAYS)
        today = self.noticed_at.astimezone(calendar.zone).date()
        number = max(min(amount or Decimal(0), Decimal(MAX_AMOUNTS.get(unit, 0))), Decimal(0))
        match unit if amount is not None else Unit.NONE:
            case Unit.HOURS:
                end = self.noticed_at.astimezone(UTC) + timedelta(seconds=float(number * 3600))
                return Deadline(end, place, "Counted from the exact time.")
            case Unit.DAYS:
                last, how = today + int(number) * DAY, "Counted from the day after"
            case Unit.BUSINESS_DAYS:
                is_off, whose = self._days_off(country)
                last = _business_day(today, int(number), calendar, is_off)
                how = f"Counted from the day after, Monday to Friday excluding {whose}"
            case Unit.MONTHS:
                last, how = _months_after(today, int(number)), "Counted from the day after, by the calendar"
            case Unit.NONE:
                return Deadline(None, place, "No deadline is promised.")
            case _:
                return Deadline(None, place, "No length of time is promised.")
        end = max(_end_of(last, calendar), self.noticed_at.astimezone(UTC))
        return Deadline(end, place, f"{how}, to the end of {last:%A}, {stored(last)}.")

    def _days_off(self, country: str) -> tuple[Callable[[date], bool], str]:
        if country in _countries():
            return (lambda day: day in _holidays(country, day.year)), f"the public holidays of {_countries()[country]}"
        return self.office.holidays.__contains__, "the office's own holidays"


def _business_day(today: date, number: int, calendar: OfficeTime, is_off: Callable[[date], bool]) -> date:
    """Return the business day that is so many after today; today itself, or the next one, when it is none."""

    def is_business_day(day: date) -> bool:
        # Some zones have left a day out of the calendar.
        return day.weekday() < SATURDAY and not is_off(day) and calendar.opening_on(day) is not None

    day = today
    while not number and not is_business_day(day):
        day += DAY
    while number:
        day += DAY
        number -= is_business_day(day)
    return day


def _months_after(day: date, number: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _end_of(day: date, calendar: OfficeTime) -> datetime:
    """Return the last second of a day; of one that the zone has left out, that of the day before."""
    while (stretch := calendar.opening_on(day)) is None:
        day -= DAY
    return stretch[1] - SECOND


@cache
def _holidays(country: str, year: int) -> frozenset[date]:
    return frozenset(public_holidays(country, year))


@cache
def _countries() -> dict[str, str]:
    return dict(countries())


@cache
def _zones() -> set[str]:
    return available_timezones()
