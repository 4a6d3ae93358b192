"""Days of the platform, each of which it holds as a moment: midnight UTC of that day."""

from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Q
from django.utils import timezone


def day_of(at: datetime) -> date | None:
    """Return the day that a moment of the platform stands for, wherever the reader is; None for one that is no day."""
    moment = at.astimezone(UTC)
    return moment.date() if moment.time() == time() else None


def is_past(at: datetime, now: datetime) -> bool:
    """Say whether a moment of the platform has passed. A day has once it is over where the reader is."""
    day = day_of(at)
    return at < now if day is None else day < timezone.localdate(now)


def is_ahead(at: datetime, now: datetime) -> bool:
    """Say whether a moment of the platform is still to come. A day is until it begins where the reader is."""
    day = day_of(at)
    return now < at if day is None else timezone.localdate(now) < day


def past(column: str, now: datetime) -> Q:
    """Make the condition of the same for rows."""
    today = datetime.combine(timezone.localdate(now), time(), tzinfo=UTC)
    # Where the reader is behind UTC, the midnight after their day has passed as well.
    return Q(**{f"{column}__lt": now}) & ~Q(**{f"{column}__in": (today, today + timedelta(days=1))})
