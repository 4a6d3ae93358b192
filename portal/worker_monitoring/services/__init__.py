"""Noting what is heard, taking turns, and telling the operator when nothing is heard any more."""

from portal.worker_monitoring.services.alarms import clear, raise_alarm
from portal.worker_monitoring.services.heartbeats import (
    claim_turn,
    forget_heartbeat,
    last_heartbeat,
    last_turns,
    record_heartbeat,
)
from portal.worker_monitoring.services.verification import check_workers

__all__ = [
    "check_workers",
    "claim_turn",
    "clear",
    "forget_heartbeat",
    "last_heartbeat",
    "last_turns",
    "raise_alarm",
    "record_heartbeat",
]
