"""How much time is left, in words that stand without colour, and moments in the zones that count."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from portal.ui.times import exact_words, length_words


@dataclass(frozen=True)
class Left:
    """How much time is left until a deadline, or how long ago it passed."""

    description: str
    tone: str
    """late, soon, or nothing; as the due dates of the design system have it."""


def length_of(length: timedelta) -> str:
    """Write how long something lasts, in its two greatest units: `5 h 12 min`."""
    return length_words(length)


def left_until(due_at: datetime, *, warn_at: datetime | None, now: datetime) -> Left:
    """Say how a deadline stands. `static/js/deadlines.js` says the same as time passes."""
    if due_at < now:
        return Left(f"{length_of(now - due_at)} late", "late")
    return Left(f"in {length_of(due_at - now)}", "soon" if warn_at is None or warn_at <= now else "")


def told_words(told_at: datetime, due_at: datetime | None, *, noticed_at: datetime, is_at_once: bool) -> tuple[str, bool]:
    """Say whether a customer was told in time; and whether it was late.

    What was promised without a moment is not called timely: it is said how long it took.
    """
    if due_at is not None and told_at > due_at:
        return f"{length_of(told_at - due_at)} late", True
    if due_at is None or is_at_once:
        return f"after {length_of(told_at - noticed_at)}", False
    return "in time", False


def moment_in(at: datetime, zone: str) -> str:
    """Write a moment in full in a zone, with its name where the letters behind the time do not say it."""
    with timezone.override(ZoneInfo(zone)):
        words = exact_words(at)
    return words if zone == "UTC" else f"{words} ({zone_name(zone)})"


def zone_name(zone: str) -> str:
    """Call a zone by its place: `New York`."""
    return zone.rpartition("/")[2].replace("_", " ")
