"""Times in words, in the reader's zone. The exact time is always shown beside them, on hover or as a second line."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format

from portal.users.dates import in_form

SOON = timedelta(days=2)
"""A due date nearer than this is coloured: there is still time to act, but not to forget."""
IN_DAYS = 7
"""Up to this many days a distance is easier to grasp than a date."""


@dataclass(frozen=True)
class Due:
    """A due date as a person says it: words that stand without the colour, the tone, the exact date."""

    description: str
    tone: str
    exact: str


def due(at: datetime | date, *, now: datetime, is_done: bool = False) -> Due:
    """Say how a due date stands. Something done is never late."""
    moment, exact = _at_end_of_day(at), exact_words(at)
    if is_done:
        return Due(day_words(moment, now=now), "", exact)
    if moment < now:
        return Due(f"{_length(now - moment, days=_days(moment, now))} late", "late", exact)
    days = _days(now, moment)
    words = {0: "due today", 1: "due tomorrow"}.get(days) or (
        f"in {days} days" if days <= IN_DAYS else day_words(moment, now=now)
    )
    return Due(words, "soon" if moment - now <= SOON else "", exact)


def relative_words(at: datetime, *, now: datetime) -> str:
    """Say how long ago, or how far ahead, a moment is."""
    is_past, distance = at <= now, abs(now - at)
    days = abs(_days(at, now))
    if distance < timedelta(minutes=1):
        return "just now" if is_past else "in a moment"
    if distance < timedelta(days=1) and days <= 1:
        length = _short(distance)
        return f"{length} ago" if is_past else f"in {length}"
    if days == 1:
        return "yesterday" if is_past else "tomorrow"
    if days <= IN_DAYS:
        return f"{days} days ago" if is_past else f"in {days} days"
    return day_words(at, now=now)


def length_words(length: timedelta, *, in_days: bool = True) -> str:
    """Write how long something lasted, in its two greatest units."""
    minutes = max(length, timedelta(0)) // timedelta(minutes=1)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24) if in_days else (0, hours)
    units = [(days, "d"), (hours, "h"), (minutes, "min")]
    first = next((place for place, (number, _) in enumerate(units) if number), len(units))
    return " ".join(f"{number:,} {unit}" for number, unit in units[first : first + 2] if number) or "less than a minute"


def day_words(at: datetime, *, now: datetime) -> str:
    """Write the day, with the year only where it is another one."""
    local = timezone.localtime(at)
    return date_format(local, in_form("j M" if local.year == timezone.localtime(now).year else "j M Y"))


def exact_words(at: datetime | date) -> str:
    """Write the moment in full: day of the week, date, time and zone."""
    if not isinstance(at, datetime):
        return date_format(at, in_form("l, j F Y"))
    return date_format(timezone.localtime(at), in_form("l, j F Y, H:i T"))


def _at_end_of_day(at: datetime | date) -> datetime:
    """A bare date is due until its last second where the reader is."""
    if isinstance(at, datetime):
        return at
    return datetime(at.year, at.month, at.day, 23, 59, 59, tzinfo=timezone.get_current_timezone())


def _days(earlier: datetime, later: datetime) -> int:
    return (timezone.localdate(later) - timezone.localdate(earlier)).days


def _length(length: timedelta, *, days: int) -> str:
    if days >= 1 and length >= timedelta(hours=12):
        return f"{days} day{'s' if days > 1 else ''}"
    hours = length // timedelta(hours=1)
    if hours:
        return f"{hours} hour{'s' if hours > 1 else ''}"
    minutes = max(1, length // timedelta(minutes=1))
    return f"{minutes} minute{'s' if minutes > 1 else ''}"


def _short(length: timedelta) -> str:
    hours, minutes = length // timedelta(hours=1), length // timedelta(minutes=1)
    return f"{hours} h" if hours else f"{minutes} min"
