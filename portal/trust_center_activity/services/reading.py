"""How far back a list is read: mostly its news, once a day further, and the first time all of it."""

from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from portal.trust_center_activity.models import ACTIVITY, CONVERSATION, Activity, Reading

LATE = timedelta(hours=2)
"""An entry that appears so long after its date is still met by the next reading."""
VERY_LATE = timedelta(days=7)
"""The same for the one reading a day that looks further back."""
A_DAY = timedelta(hours=23)
"""A little less than a day, so that readings once an hour do not move it later from day to day."""


def looks_further(kind: str, *, at: datetime) -> bool:
    """Say whether a reading that begins then is the one of the day that looks at more than the news."""
    reading = Reading.objects.filter(kind=kind).first()
    return reading is None or reading.whole_at is None or at - reading.whole_at >= A_DAY


def activity_since() -> datetime | None:
    """Return the date from which on activity is asked for; None: from the beginning.

    Counted from the end of the last complete reading, never from the rows: a reading that was broken off has stored the
    newest entries, and not yet those before them.
    """
    reading = Reading.objects.filter(kind=ACTIVITY).first()
    if reading is None or reading.newest_at is None:
        return None
    return reading.newest_at - (VERY_LATE if looks_further(ACTIVITY, at=timezone.now()) else LATE)


def finish_activity(began_at: datetime) -> None:
    """Note that all activity up to the latest date is here. A date in the future is a mistake, and would hide what follows."""
    newest = Activity.objects.filter(at__lte=began_at).aggregate(at=Max("at"))["at"]
    _finish(ACTIVITY, began_at, newest_at=newest)


def finish_conversations(began_at: datetime) -> None:
    _finish(CONVERSATION, began_at, newest_at=None)


def _finish(kind: str, began_at: datetime, *, newest_at: datetime | None) -> None:
    values: dict[str, datetime | None] = {"newest_at": newest_at}
    if looks_further(kind, at=began_at):
        values["whole_at"] = began_at
    Reading.objects.update_or_create(kind=kind, defaults=values)
