"""Storing the log, and finding our own writes in it."""

from portal.event_log.services.matching import match_writes
from portal.event_log.services.store import store_entry

__all__ = ["match_writes", "store_entry"]
