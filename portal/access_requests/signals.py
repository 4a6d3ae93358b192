"""After a restore: decisions that were scheduled at the time of the backup may have been sent since."""

from typing import Any

from django.dispatch import receiver

from portal.access_requests.models import Decision
from portal.backups.signals import restored


@receiver(restored, dispatch_uid="verify_decisions_after_restore")
def verify_first(**_: Any) -> None:
    # Whoever sends one that may have left already looks at its request before.
    Decision.objects.scheduled().update(was_sent=True)
