"""Noting what is heard, taking turns, and telling the operator when nothing is heard any more."""

from portal.watch.services.alarms import clear, raise_alarm
from portal.watch.services.hearing import claim_turn, forget, heard, last_turns, note_heard
from portal.watch.services.looking import look

__all__ = [
    "claim_turn",
    "clear",
    "forget",
    "heard",
    "last_turns",
    "look",
    "note_heard",
    "raise_alarm",
]
