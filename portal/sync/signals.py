"""The database was put back to an earlier moment: the copies are compared with the platform at once, not within the hour."""

from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from portal.backups.signals import restored
from portal.sync.models import Run, RunState


@receiver(restored, dispatch_uid="compare_after_restore")
def compare_anew(**_: Any) -> None:
    Run.objects.filter(state=RunState.DONE).update(next_due_at=timezone.now())
