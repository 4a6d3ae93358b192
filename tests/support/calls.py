"""The tenant's calls of this minute, used up without making them."""

from django.utils import timezone

from portal.connections.models import CallWindow
from portal.connections.services import Urgency
from portal.connections.services.calls import calls_a_minute
from portal.platform_api.buckets import CALLS_A_MINUTE, MANAGEMENT


def use_up(urgency: Urgency, *, but: int = 0) -> None:
    """Leave to work of this urgency only so many calls, in the scope of a tenant."""
    calls = calls_a_minute(MANAGEMENT, urgency) - but
    CallWindow.objects.update_or_create(bucket=MANAGEMENT, defaults={"started_at": timezone.now(), "calls": calls})


def use_up_all() -> None:
    """Leave nobody any call of this minute, whatever it is about, in the scope of a tenant."""
    for bucket, calls in CALLS_A_MINUTE.items():
        CallWindow.objects.update_or_create(bucket=bucket, defaults={"started_at": timezone.now(), "calls": calls})
