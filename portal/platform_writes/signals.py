"""After a restore: items of bulk runs that look unsent may have been sent since the backup, so they are verified first."""

from datetime import timedelta
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from portal.backups.signals import restored
from portal.platform_writes.models import Item, ItemState, Run

COMPARED_WITHIN = timedelta(minutes=10)
"""An import knows by the copy of the customers whom it has created: the copies are compared first."""


@receiver(restored, dispatch_uid="verify_bulk_runs_after_restore")
def verify_first(**_: Any) -> None:
    for items in Item.__subclasses__():
        items.objects.filter(state=ItemState.WAITING).update(state=ItemState.UNCERTAIN, is_in_doubt=True)
    for runs in Run.__subclasses__():
        runs.objects.filter(finished_at=None).update(due_at=timezone.now() + COMPARED_WITHIN)
