"""The dates of a tenant's open questionnaires as a calendar that other programs subscribe to."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from itertools import chain

from portal.calendars.ical import Occasion
from portal.questionnaires.models import NO_DUE_DATE, PAUSED_CLOCK, Questionnaire

MAX_EVENTS = 1000


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
    return sorted(nsmallest(MAX_EVENTS, found, key=lambda date: abs(date.at - now)), key=lambda date: date.at)


def _dates(kind: str, label: str, column: str, end: datetime, now: datetime) -> Iterable[Date]:
    rows = Questionnaire.objects.present().open().defer("payload", "search")
    ahead = rows.filter(**{f"{column}__gte": now, f"{column}__lt": end}).order_by(column)[:MAX_EVENTS]
    behind = rows.filter(**{f"{column}__lt": now}).order_by(f"-{column}")[:MAX_EVENTS]
    for row in chain(ahead, behind):
        yield Date(kind, label, getattr(row, column), row)


def occasion_of(date: Date, url: str) -> Occasion:
    """Say what an event tells. Its id stays as long as its questionnaire does."""
    row = date.questionnaire
    owner = f"Owner: {row.owner_name}" if row.owner_name else "No owner yet"
    return Occasion(
        key=f"{row.pk}-{date.kind}",
        at=date.at,
        summary=f"{date.label}: {row}",
        description=f"{row.status_label}. {owner}.",
        url=url,
        changed_at=row.touched_at,
    )
