"""What operators watch of the workers."""

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone

from portal.lib.metrics import Reading
from portal.worker_monitoring.selectors import last_bell, last_heartbeat, lasting_alarms

HEARTBEAT, BELL = "portal_last_heartbeat_seconds", "portal_last_bell_seconds"


def readings() -> Iterator[Reading]:
    """Read how long nothing was heard, and the alarms that last. What never was has no reading."""
    yield from _age(HEARTBEAT, "Since a worker last took a task off the broker.", last_heartbeat())
    yield from _age(BELL, "Since a clock last rang for a periodic job.", last_bell())
    for name, number in lasting_alarms().items():
        yield Reading("portal_alarm", "Alarms for the operator that last.", number, {"alarm": name})


def _age(name: str, words: str, moment: datetime | None) -> Iterator[Reading]:
    if moment is not None:
        yield Reading(name, words, (timezone.now() - moment).total_seconds())
