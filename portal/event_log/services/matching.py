"""Finding our own writes in the platform's event log (guarantee S8: what is done at the platform is written down at both ends).

The log names the object and the moment, not the call. So the entry of a write is the one about the same object, made by no
user of the platform, that lies next to it in time and is no other write's.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from portal.audit.models import Entry
from portal.audit.platform_actions import ids_at_platform, platform_actions
from portal.event_log.models import USER, LogEntry, LogTarget, WriteMatch
from portal.page_refresh.services import touch_areas

EARLIER, LATER = timedelta(days=1), timedelta(minutes=5)
"""How far the platform's entry may lie from ours: a write whose answer was lost is confirmed later, and clocks differ."""
SOUGHT_FOR = timedelta(days=2)
"""So long after a write it is looked for; what comes later into the log is not expected any more."""
SETTLED = timedelta(minutes=2)
"""A write that is younger than this when the log is read may be missing there for that reason alone."""
AREA = "audit"
MAX_WRITES = 2000
"""Writes looked for after one reading."""


def match_writes(read_at: datetime) -> int:
    """Look for the writes of the tenant in scope in the log as it was read at a moment; return how many were found."""
    found = 0
    for entry in _sought(read_at):
        log_entry = _nearest(entry)
        found += log_entry is not None
        WriteMatch.objects.update_or_create(audit_entry_id=entry.pk, defaults={"log_entry": log_entry})
    if found:
        touch_areas(AREA)
    return found


def _sought(read_at: datetime) -> Iterable[Entry]:
    """Return what was never looked for, the oldest first; behind it what was not found before, the newest of it first.

    However much is never found, no write leaves the period without having been looked for.
    """
    looked_for = WriteMatch.objects.filter(audit_entry_id=OuterRef("pk"))
    period = {"at__gt": timezone.now() - SOUGHT_FOR, "at__lte": read_at - SETTLED}
    writes = Entry.objects.filter(**period, action__in=platform_actions())
    new = list(writes.exclude(Exists(looked_for)).order_by("id")[:MAX_WRITES])
    missing = writes.filter(Exists(looked_for.filter(log_entry=None))).order_by("-id")
    return [*new, *missing[: MAX_WRITES - len(new)]]


def _nearest(entry: Entry) -> LogEntry | None:
    about = LogTarget.objects.filter(entry=OuterRef("pk"), platform_id__in=ids_at_platform(entry))
    near = LogEntry.objects.filter(Exists(about), at__gte=entry.at - EARLIER, at__lte=entry.at + LATER, match=None)
    candidates = list(near.exclude(actor_type__iexact=USER).defer("payload")[:100])
    return min(candidates, key=lambda found: abs(found.at - entry.at), default=None)
