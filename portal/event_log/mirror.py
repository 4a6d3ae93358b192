"""How the event log is read. No event tells of it: it is read once an hour, as far back as needed."""

from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from portal.event_log.models import AREA, LOG_ENTRY, LogEntry
from portal.event_log.services import match_writes, store_entry
from portal.platform_api import Page, Platform
from portal.platform_api.models import compliance as remote
from portal.sync.mirrors import Mirror
from portal.sync.services.positions import find_listed, note_read, page_since, read_since

AT_FIRST = timedelta(days=30)
"""So much of the past is read the first time; how long the platform keeps its log is not documented."""


def page_of_log(client: Platform, cursor: str | None) -> Page[remote.EventLogEntry]:
    return page_since(
        lambda inner, since: client.event_logs.all.page(inner, start_date=since or timezone.now() - AT_FIRST), LOG_ENTRY, cursor
    )


def fetch_entry(client: Platform, entry_id: str) -> remote.EventLogEntry:
    """Look one entry up that could not be stored: nothing but the list tells of it."""
    return find_listed(client.event_logs.all(start_date=read_since(LOG_ENTRY) or timezone.now() - AT_FIRST), entry_id)


def finish_log(began_at: datetime) -> None:
    note_read(LOG_ENTRY, began_at, newest_at=LogEntry.objects.filter(at__lte=began_at).aggregate(at=Max("at"))["at"])
    match_writes(began_at)


MIRRORS = (
    Mirror(
        kind=LOG_ENTRY,
        title="Event log",
        area=AREA,
        fetch=fetch_entry,
        save=store_entry,
        # What happened stays in the log.
        mark_gone=lambda _: False,
        page=page_of_log,
        has_events=False,
        is_log=True,
        finish=finish_log,
    ),
)
