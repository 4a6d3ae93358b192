"""What operators watch of the feed. Numbers over all tenants; none of them names one."""

from collections.abc import Iterator

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client import Counter, Histogram

from portal.inbox.models import Delivery, DeliveryState, Rhythm
from portal.lib.metrics import Reading
from portal.sync.models import StaleMark
from portal.tenants.scope import all_tenants

ACCEPTED = Counter("portal_deliveries_accepted", "Deliveries that were stored, or were known and had work left.")
DUPLICATES = Counter("portal_deliveries_duplicate", "Deliveries that were known and changed nothing.")
REJECTED = Counter("portal_deliveries_rejected", "Deliveries that were answered otherwise than with 204.", ["reason"])
FLOODED = Counter("portal_deliveries_flooded", "Those of them that were answered with 429, because there were too many.")
DRAIN_SECONDS = Histogram("portal_drain_seconds", "How long a worker took over the due deliveries of one tenant.")


def readings() -> Iterator[Reading]:
    """Read how far behind the feed is. Only rows that wait are looked at, which an index of their own finds."""
    with all_tenants("operators watch all tenants together"):
        waiting = Delivery.objects.filter(state=DeliveryState.PENDING).aggregate(
            count=Count("pk"), first=Min("received_at"), due=Min("due_at")
        )
        marks = StaleMark.objects.waiting().aggregate(count=Count("pk"), first=Min("marked_at"))
        dead = Delivery.objects.filter(state=DeliveryState.DEAD).count()
        silent = Rhythm.objects.exclude(silent_since=None).count()
    yield Reading("portal_deliveries_waiting", "Deliveries that have yet to be handled.", waiting["count"])
    yield Reading("portal_deliveries_lag_seconds", "How long the oldest of them has waited.", _age(waiting["first"]))
    yield Reading(
        "portal_oldest_due_seconds",
        "For how long the one that is due longest could be handled.",
        max(_age(waiting["due"]), 0.0),
    )
    yield Reading("portal_deliveries_dead", "Deliveries that failed for good.", dead)
    yield Reading("portal_objects_waiting", "Objects that have yet to be fetched.", marks["count"])
    yield Reading("portal_objects_lag_seconds", "How long the oldest of them has waited.", _age(marks["first"]))
    yield Reading("portal_feeds_silent", "Tenants whose events have stopped coming.", silent)


def _age(first: object) -> float:
    return (timezone.now() - first).total_seconds() if first else 0.0  # type: ignore[operator]
