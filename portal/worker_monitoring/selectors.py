from datetime import datetime

from django.db.models import Max

from portal.worker_monitoring.models import Turn, Worker


def last_heartbeat() -> datetime | None:
    """Return when any worker last took a task off the broker."""
    found: datetime | None = Worker.objects.aggregate(last=Max("heard_at"))["last"]
    return found


def last_bell() -> datetime | None:
    """Return when any clock last rang for a periodic job."""
    found: datetime | None = Turn.objects.aggregate(last=Max("rung_at"))["last"]
    return found
