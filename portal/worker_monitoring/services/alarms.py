"""Alarms for the operator. The log says them, once an hour while they last, and /metrics counts them."""

import logging
from datetime import timedelta

from portal.lib.throttle import claim_notification
from portal.worker_monitoring.models import Alarm

logger = logging.getLogger(__name__)

BETWEEN_ALARMS = timedelta(hours=1)


def raise_alarm(name: str, words: str) -> None:
    """Tell the operator, unless somebody did within the hour, whichever process that was."""
    alarm, _ = Alarm.objects.get_or_create(name=name)
    if claim_notification(Alarm.objects.filter(pk=alarm.pk), "told_at", again_after=BETWEEN_ALARMS):
        logger.error(words)


def clear(name: str, words: str) -> None:
    """It is well again; said only where an alarm was raised."""
    deleted, _ = Alarm.objects.filter(name=name).delete()
    if deleted:
        logger.warning(words)
