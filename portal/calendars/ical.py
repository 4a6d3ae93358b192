"""Dates written as a calendar that other programs subscribe to."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from icalendar import Calendar, Event

REFRESHED = timedelta(hours=1)


@dataclass(frozen=True)
class Occasion:
    """One event. Its id stays as long as what it is about does; a bare date is an event of the whole day."""

    key: str
    at: datetime | date
    summary: str
    description: str
    url: str
    changed_at: datetime


def calendar_of(name: str, occasions: Iterable[Occasion], *, product: str) -> bytes:
    """Write the calendar."""
    calendar: Any = Calendar()
    calendar.add("prodid", f"-//Customer trust portal//{product}//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESHED, parameters={"VALUE": "DURATION"})
    host = urlsplit(settings.PUBLIC_URL).hostname or "portal"
    for occasion in occasions:
        calendar.add_component(_event(occasion, host))
    content: bytes = calendar.to_ical()
    return content


def calendar_answer(content: bytes, filename: str) -> HttpResponse:
    """Hand a calendar out to whoever knows its address, and to no cache and no search engine."""
    answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{filename}"'
    patch_cache_control(answer, private=True, no_store=True)
    answer["X-Robots-Tag"] = "noindex"
    answer["Referrer-Policy"] = "no-referrer"
    return answer


def _event(occasion: Occasion, host: str) -> Event:
    event: Any = Event()
    event.add("uid", f"{occasion.key}@{host}")
    event.add("dtstamp", occasion.changed_at)
    event.add("dtstart", occasion.at)
    event.add("summary", occasion.summary)
    event.add("description", f"{occasion.description}\n{occasion.url}")
    event.add("url", occasion.url)
    event.add("transp", "TRANSPARENT")
    found: Event = event
    return found
