"""Alarms for the operator. The log says them, once an hour while they last, and /metrics counts them."""

import logging
from datetime import timedelta

from portal.lib.throttle import claim_notification
from portal.worker_monitoring.models import OF_TENANT, Alarm

logger = logging.getLogger(__name__)

BETWEEN_ALARMS = timedelta(hours=1)


def raise_alarm(name: str, words: str, *, tenant_id: int | None = None) -> None:
    """Tell the operator, unless somebody did within the hour, whichever process that was."""
    alarm, _ = Alarm.objects.get_or_create(name=_full(name, tenant_id))
    if claim_notification(Alarm.objects.filter(pk=alarm.pk), "told_at", again_after=BETWEEN_ALARMS):
        logger.error(words)


def clear(name: str, words: str, *, tenant_id: int | None = None) -> None:
    """It is well again; said only where an alarm was raised."""
    deleted, _ = Alarm.objects.filter(name=_full(name, tenant_id)).delete()
    if deleted:
        logger.warning(words)


def _full(name: str, tenant_id: int | None) -> str:
    return name if tenant_id is None else f"{name}{OF_TENANT}{tenant_id}"
