"""What the pages show, over several rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Q
from django.utils import timezone

from portal.calendars.selectors import office_hours
from portal.incidents.formatting import Left, left_until, moment_in
from portal.incidents.models import NEVER, Incident, LogEntry, Notice, Rank, State
from portal.page_refresh.services import cached_by_version
from portal.ui.times import exact_words

MAX_ZONES = 4


@dataclass(frozen=True)
class IncidentRow:
    """An incident in the list, with how far it is."""

    incident: Incident
    to_tell: int
    told: int
    is_at_once: bool
    """Somebody is still to be told who has to be told at once."""
    next_at: datetime | None
    left: Left | None


def incident_rows(incidents: Sequence[Incident]) -> list[IncidentRow]:
    """Give incidents with their numbers, in one query that is kept until something changes."""
    now, keys = timezone.now(), [incident.pk for incident in incidents]
    found = cached_by_version("incidents", f"rows:{keys}".replace(" ", ""), lambda: _numbers(keys))
    return [_row(incident, found.get(incident.pk, {}), now) for incident in incidents]


def standing_of(incident: Incident, counts: Mapping[str, int]) -> tuple[str, str]:
    """Say in words and a tone how far an incident is."""
    if not incident.is_open:
        return "Closed", "muted"
    if counts["late"]:
        return f"{counts['late']} late", "bad"
    if counts["to-tell"]:
        return f"{counts['to-tell']} to notify", "warn"
    return "All notified", "good"


def open_count() -> int:
    """How many customers are still to be told, over all open incidents."""
    return cached_by_version("incidents", "open", lambda: Notice.objects.to_tell().filter(incident__closed_at=None).count())


def noticed_elsewhere(incident: Incident, zones: Sequence[str]) -> str:
    """Write when an incident was noticed in UTC, at the office, and in the zones of promises."""
    wanted = dict.fromkeys(["UTC", office_hours().zone, *filter(None, zones)])
    return " · ".join(moment_in(incident.noticed_at, zone) for zone in list(wanted)[: MAX_ZONES + 2])


def log_events(entries: Iterable[LogEntry]) -> list[dict[str, Any]]:
    """Write entries of the log as the timeline draws them."""
    return [
        {
            "key": entry.pk,
            "at": entry.at,
            "title": f"{entry.who}: {entry.text}",
            "note": entry.note,
            "icon": entry.icon,
            "tone": entry.tone,
            "exact": exact_words(entry.at),
            "changes": [change_words(each) for each in entry.details],
        }
        for entry in entries
    ]


def change_words(detail: dict[str, Any]) -> str:
    """Say what a new plan has changed for one customer."""
    before, after = (_moment(detail.get(key)) for key in ("before", "after"))
    name, promise = detail["customer"], f" ({detail['promise']})" if detail.get("promise") else ""
    match detail["what"]:
        case "came":
            return f"{name} was added, to be notified by {after}."
        case "went":
            settled = " What was recorded for it is kept." if detail.get("state") != State.TO_TELL else ""
            return f"{name} was removed.{settled}"
        case "moved":
            return f"{name}: {before} → {after}{promise}."
        case _:
            return f"{name}: the promise changed{promise}, but not the deadline."


def _numbers(keys: Sequence[int]) -> dict[int, dict[str, Any]]:
    rows = Notice.objects.filter(left_at=None, incident__in=keys).order_by().values("incident_id")
    numbers = rows.annotate(
        to_tell=Count("id", filter=Q(state=State.TO_TELL)),
        told=Count("id", filter=Q(state=State.TOLD)),
        at_once=Count("id", filter=Q(state=State.TO_TELL, rank=Rank.AT_ONCE)),
        next_at=Min("due_sort", filter=Q(state=State.TO_TELL)),
    )
    return {row["incident_id"]: dict(row) for row in numbers}


def _moment(text: str | None) -> str:
    return exact_words(datetime.fromisoformat(text)) if text else "no deadline"


def _row(incident: Incident, found: dict[str, Any], now: datetime) -> IncidentRow:
    next_at = found.get("next_at")
    if next_at is None or next_at >= NEVER or not incident.is_open:
        next_at = None
    left = left_until(next_at, warn_at=None, now=now) if next_at else None
    is_at_once = incident.is_open and bool(found.get("at_once"))
    return IncidentRow(incident, found.get("to_tell", 0), found.get("told", 0), is_at_once, next_at, left)
