from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.inbox.models import Delivery, DeliveryState
from portal.live.services import changed
from portal.users.models import User


@transaction.atomic
def replay(delivery: Delivery, *, actor: User) -> None:
    """Have one delivery handled again, with all its tries. What was applied already is applied again to the same end."""
    Delivery.objects.filter(pk=delivery.pk).update(
        state=DeliveryState.PENDING,
        attempts=0,
        due_at=timezone.now(),
        lease_owner="",
        lease_until=None,
        outcome="",
        error="",
        processed_at=None,
    )
    record(
        "delivery.replay",
        target=("delivery", str(delivery.pk)),
        summary=f"Replayed the delivery {delivery.hook_id[:100]}.",
        actor=actor,
    )
    changed("inbox")
