"""Storing the log, finding our own writes in it, and taking it as a file."""

from portal.event_log.services.export_audit import record_export
from portal.event_log.services.matching import match_writes
from portal.event_log.services.store import store_entry

__all__ = ["match_writes", "record_export", "store_entry"]
