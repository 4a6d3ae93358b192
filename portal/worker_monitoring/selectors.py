from collections import Counter
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from portal.worker_monitoring.models import OF_TENANT, Alarm, Turn, Worker

ALARM_LASTS = timedelta(days=1)
"""After it was told last. What lasts is told each hour; of a container that is gone nobody tells that it has ended."""


def last_heartbeat() -> datetime | None:
    """Return when any worker last took a task off the broker."""
    found: datetime | None = Worker.objects.aggregate(last=Max("heard_at"))["last"]
    return found


def last_bell() -> datetime | None:
    """Return when any clock last rang for a periodic job."""
    found: datetime | None = Turn.objects.aggregate(last=Max("rung_at"))["last"]
    return found


def lasting_alarms() -> Counter[str]:
    """Count the alarms that last by their names, those of tenants without saying of which."""
    lasting = Alarm.objects.exclude(told_at__lt=timezone.now() - ALARM_LASTS).order_by("name")
    return Counter(name.partition(OF_TENANT)[0] for name in lasting.values_list("name", flat=True))
