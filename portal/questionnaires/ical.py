"""The dates of a tenant's open questionnaires as a calendar that other programs subscribe to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import nsmallest
from itertools import chain

from icalendar import Calendar, Event

from portal.questionnaires.models import NO_DUE_DATE, PAUSED_CLOCK, Questionnaire

MOST_EVENTS = 1000
REFRESHED = timedelta(hours=1)


@dataclass(frozen=True)
class Date:
    """A due date or a target: one event."""

    kind: str
    label: str
    at: datetime
    questionnaire: Questionnaire


def nearest_dates(now: datetime) -> list[Date]:
    """Return the dates of open questionnaires that are nearest to this moment, behind or ahead, in their order."""
    found = chain(
        _dates("due", "Due", "due_sort", NO_DUE_DATE, now), _dates("target", "Target", "target_sort", PAUSED_CLOCK, now)
    )
    return sorted(nsmallest(MOST_EVENTS, found, key=lambda date: abs(date.at - now)), key=lambda date: date.at)


def _dates(kind: str, label: str, column: str, end: datetime, now: datetime) -> Iterable[Date]:
    rows = Questionnaire.objects.present().open().defer("payload", "search")
    ahead = rows.filter(**{f"{column}__gte": now, f"{column}__lt": end}).order_by(column)[:MOST_EVENTS]
    behind = rows.filter(**{f"{column}__lt": now}).order_by(f"-{column}")[:MOST_EVENTS]
    for row in chain(ahead, behind):
        yield Date(kind, label, getattr(row, column), row)


def calendar_of(name: str, dates: Iterable[Date], *, host: str, url_of: Callable[[Questionnaire], str]) -> bytes:
    """Write the calendar. The id of an event stays as long as its questionnaire does."""
    calendar = Calendar()
    calendar.add("prodid", "-//Customer trust portal//Questionnaires//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESHED, parameters={"VALUE": "DURATION"})
    for date in dates:
        calendar.add_component(_event(date, host, url_of(date.questionnaire)))
    content: bytes = calendar.to_ical()
    return content


def _event(date: Date, host: str, url: str) -> Event:
    row, event = date.questionnaire, Event()
    event.add("uid", f"{row.pk}-{date.kind}@{host}")
    event.add("dtstamp", row.touched_at)
    event.add("dtstart", date.at)
    event.add("summary", f"{date.label}: {row}")
    owner = f"Owner: {row.owner_name}" if row.owner_name else "No owner yet"
    event.add("description", f"{row.status_label}. {owner}.\n{url}")
    event.add("url", url)
    event.add("transp", "TRANSPARENT")
    return event
