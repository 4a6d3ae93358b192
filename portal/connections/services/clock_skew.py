"""This machine's clock against the platform's, by the `Date` of its answers (guarantee H8).

A delivery is refused when its timestamp is five minutes off. Long before that the operator has to know that the clock drifts.
"""

import logging
import socket
from datetime import datetime

from django.db import DatabaseError
from django.utils import timezone
from prometheus_client import Gauge

from portal.platform_api.transport import Call
from portal.worker_monitoring.services import clear, raise_alarm

logger = logging.getLogger(__name__)

TOLERANCE_SECONDS = 30.0
ANSWERS = 5
"""In a row, before anything is said: one answer may come from a machine of theirs whose clock is off."""
OFF = Gauge(
    "portal_clock_off_seconds", "This machine's clock less the platform's, at its last answer.", multiprocess_mode="mostrecent"
)


class WorldClock:
    """What one process has seen of the platform's clock lately."""

    def __init__(self) -> None:
        self._is_off: bool | None = None
        self._answers = 0

    def compare(self, call: Call) -> None:
        """Take one answer in; once several agree, tell the operator, or that it is over."""
        if call.dated_at is None:
            return
        off = seconds_off(call.dated_at, now=timezone.now(), seconds=call.seconds)
        OFF.set(off)
        is_off = abs(off) > TOLERANCE_SECONDS
        self._answers = self._answers + 1 if is_off == self._is_off else 1
        self._is_off = is_off
        # While it is off the alarm is kept awake; that it is well is said once for each stretch.
        if self._answers == ANSWERS or (is_off and self._answers % ANSWERS == 0):
            self._tell(off)

    def _tell(self, off: float) -> None:
        machine = socket.gethostname()
        name = f"clock of {machine}"
        try:
            if self._is_off:
                words = f"The clock of {machine} is {abs(off):.0f} s {'ahead of' if off > 0 else 'behind'} the platform's."
                raise_alarm(name, f"{words} At 300 s every delivery is refused: look after its time service (NTP).")
            else:
                clear(name, f"The clock of {machine} agrees with the platform's again.")
        except DatabaseError as error:
            logger.warning("the clock could not be told of: %s", type(error).__name__)


def seconds_off(dated_at: datetime, *, now: datetime, seconds: float) -> float:
    """Say how far our clock is ahead (or behind, below zero) of an answer's, which was written at some moment of the call."""
    ahead = (now - dated_at).total_seconds()
    if ahead > seconds:
        return ahead - seconds
    return min(ahead, 0.0)


world_clock = WorldClock()
