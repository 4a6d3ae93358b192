"""The end of a delivery's body. Its keys are kept for ever: the same message is never handled as a new one."""

import time
from datetime import datetime, timedelta

from django.utils import timezone

from portal.inbox.models import FINISHED, Delivery, DeliveryQuerySet
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.tenants.scope import all_tenants

KEPT = timedelta(days=90)
BATCH = 1000
"""Cut in one commit: the receiver never waits for long."""


def prune_bodies(*, kept: timedelta = KEPT, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Cut the bodies of finished deliveries of every tenant that are older than that; returns how many."""
    deadline, limit, cut = time.monotonic() + seconds, timezone.now() - kept, 0
    with all_tenants("old bodies are cut for all tenants together"):
        old = old_bodies(limit)
        while time.monotonic() < deadline and (pks := list(old.values_list("pk", flat=True)[:BATCH])):
            # The state once more: it may have been sent on its way again since.
            cut += Delivery.objects.filter(pk__in=pks, state__in=FINISHED).update(body=b"", is_cut=True)
    return cut


def old_bodies(limit: datetime) -> DeliveryQuerySet:
    """Return what came before that and is to be cut. Of what was cut before, most of the table one day, nothing is read."""
    return Delivery.objects.to_be_cut().filter(received_at__lt=limit)
