from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from portal.language_model.models import ModelCall, ModelSwitch


def has_model() -> bool:
    """Say whether the operator has set up a language model at all."""
    return settings.LANGUAGE_MODEL is not None


def is_on() -> bool:
    """Say whether texts of the tenant in scope may go to the model."""
    return has_model() and ModelSwitch.objects.filter(is_on=True).exists()


def tokens_used() -> int:
    """Count what the tenant has used since the first of this month (UTC)."""
    month = timezone.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return ModelCall.objects.filter(at__gte=month).aggregate(used=Sum("tokens"))["used"] or 0


def tokens_left() -> int:
    return max(0, settings.LANGUAGE_MODEL.monthly_tokens - tokens_used()) if settings.LANGUAGE_MODEL else 0
