"""The database was put back to an earlier moment: decisions that were held then may have been sent since."""

from typing import Any

from django.dispatch import receiver

from portal.access_requests.models import Decision
from portal.backups.signals import restored


@receiver(restored, dispatch_uid="verify_decisions_after_restore")
def verify_first(**_: Any) -> None:
    # Whoever sends one that may have left already looks at its request before.
    Decision.objects.held().update(was_sent=True)
