"""The end of a delivery's body. Its keys are kept for ever: the same message is never handled as a new one."""

import time
from datetime import timedelta

from django.utils import timezone

from portal.inbox.models import Delivery, DeliveryState
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.tenants.scope import all_tenants

KEPT = timedelta(days=90)
BATCH = 1000
"""Cut in one commit: the receiver never waits for long."""
FINISHED = (DeliveryState.DONE, DeliveryState.IGNORED)
"""What has failed or still waits needs its body: a person may send it on its way again."""


def prune_bodies(*, kept: timedelta = KEPT, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Cut the bodies of finished deliveries of every tenant that are older than that; returns how many."""
    deadline, limit, last, cut = time.monotonic() + seconds, timezone.now() - kept, 0, 0
    with all_tenants("old bodies are cut for all tenants together"):
        # Keys are given out in the order of time, so that only what is old is looked through.
        newer = Delivery.objects.filter(received_at__gte=limit).order_by("pk").values_list("pk", flat=True).first()
        old = Delivery.objects.filter(received_at__lt=limit, state__in=FINISHED, is_cut=False).order_by("pk")
        if newer is not None:
            old = old.filter(pk__lt=newer)
        while time.monotonic() < deadline:
            pks = list(old.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH])
            if not pks:
                break
            # The state once more: it may have been sent on its way again since.
            cut += Delivery.objects.filter(pk__in=pks, state__in=FINISHED).update(body=b"", is_cut=True)
            last = pks[-1]
    return cut
