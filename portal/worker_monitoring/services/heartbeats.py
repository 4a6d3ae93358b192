"""What was heard: tasks by workers, and the turns of the periodic jobs."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.worker_monitoring.models import Turn, Worker

KEPT = timedelta(days=1)
"""Workers that were killed and never came back under their name are forgotten then."""
EARLY = 0.9
"""A turn counts as taken for so much of its interval: clocks of several workers are never quite together."""


def record_heartbeat(name: str) -> None:
    """Note that a worker has taken a task just now: broker, worker and database are all well."""
    now = timezone.now()
    if Worker.objects.filter(name=name).update(heard_at=now):
        return
    with transaction.atomic():
        # Two threads of one worker may both be its first.
        Worker.objects.bulk_create([Worker(name=name, heard_at=now)], ignore_conflicts=True)
        Worker.objects.filter(heard_at__lt=now - KEPT).delete()


def last_heartbeat(name: str) -> datetime | None:
    """Return when a worker last took a task."""
    return Worker.objects.filter(name=name).values_list("heard_at", flat=True).first()


def forget_heartbeat(name: str) -> None:
    """Remove a worker that has ended as it should."""
    Worker.objects.filter(name=name).delete()


def claim_turn(name: str, *, every: timedelta) -> bool:
    """Take the present turn of a periodic job. Of all the clocks that try, one gets it (guarantee O9)."""
    now = timezone.now()
    # One that lies in the future was taken before somebody set the machine's clock back.
    is_over = Q(rung_at__lte=now - every * EARLY) | Q(rung_at__gt=now + every)
    if Turn.objects.filter(is_over, name=name).update(rung_at=now):
        return True
    _, is_first = Turn.objects.get_or_create(name=name, defaults={"rung_at": now})
    return is_first


def last_turns() -> dict[str, datetime]:
    """Return when each periodic job was last rung for."""
    return dict(Turn.objects.values_list("name", "rung_at"))
