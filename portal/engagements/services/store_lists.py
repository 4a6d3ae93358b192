"""Requests, evidence and controls of one audit become rows: read together, because the platform lists them for each audit.

What was read by itself after a list was asked for is newer than the list, and stays (guarantee Q11).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from portal.engagements.models import (
    NO_DATE,
    Audited,
    Engagement,
    EngagementControl,
    EvidenceItem,
    InformationRequest,
)
from portal.engagements.models.engagements import MAX_NAME_LENGTH, MAX_WORD_LENGTH
from portal.engagements.services.payloads import cleaned
from portal.platform_api.models import audits as remote
from portal.platform_api.paging import Collected
from portal.sync.copies import search_text

MAX_SEARCHED_LENGTH = 5000
type Columns = Callable[[Any], dict[str, Any]]


@dataclass(frozen=True)
class FetchedLists:
    """What one audit consists of, as far as it could be read, and when the platform was asked for it."""

    engagement_id: str
    asked_at: datetime
    requests: Collected[remote.InformationRequest]
    evidence: Collected[remote.AuditEvidence]
    controls: Collected[remote.AuditControl]

    @property
    def problem(self) -> str:
        """Say what could not be read; empty when nothing."""
        parts: dict[str, Collected[Any]] = {
            "information requests": self.requests,
            "evidence": self.evidence,
            "controls": self.controls,
        }
        return "; ".join(f"{name}: {each.problem}" for name, each in parts.items() if each.problem)


def store_lists(fetched: FetchedLists) -> bool:
    """Make the rows equal to the lists; True when one of them changed. What could not be read stays as it is."""
    engagement = Engagement.objects.select_for_update().filter(platform_id=fetched.engagement_id).first()
    if engagement is None:
        return False
    at, is_first = fetched.asked_at, engagement.parts_read_at is None
    changed = _store(engagement, InformationRequest, fetched.requests, request_columns, at)
    changed |= _store(engagement, EvidenceItem, fetched.evidence, evidence_columns, at)
    changed |= _store(engagement, EngagementControl, fetched.controls, control_columns, at)
    Engagement.objects.filter(pk=engagement.pk).update(parts_read_at=at)
    return changed or is_first


def _store(engagement: Engagement, model: type[Any], found: Collected[Any], columns_of: Columns, at: datetime) -> bool:
    known = {row.platform_id: row for row in model.objects.select_for_update().filter(engagement=engagement)}
    moved = _elsewhere(model, [one.id for one in found.items if one.id not in known])
    # Cleaned together: looking for people who were erased is one query then.
    payloads = cleaned([one.raw for one in found.items])
    changed = False
    for position, (one, payload) in enumerate(zip(found.items, payloads, strict=True)):
        columns = columns_of(type(one).read(payload)) | {"position": position}
        if one.id in moved:
            columns["engagement"] = engagement
        changed |= save_row(known.get(one.id) or moved.get(one.id), model, engagement, one.id, columns, at)
    if found.is_whole:
        named = {one.id for one in found.items} | {each.id for each in found.unread}
        changed |= _take_away(model, [row for key, row in known.items() if key not in named and row.read_at <= at])
    return changed


def _elsewhere(model: type[Any], ids: list[str]) -> dict[str, Any]:
    """Return the rows of requests or evidence that stand with another audit: of an id there is one, and it may have moved."""
    if not ids or not issubclass(model, Audited):
        return {}
    rows: Any = model._default_manager.select_for_update().filter(platform_id__in=ids)
    return {row.platform_id: row for row in rows}


def save_row(
    row: Any, model: type[Any], engagement: Engagement, platform_id: str, columns: Mapping[str, Any], at: datetime
) -> bool:
    """Save what differs of one object; True when something did. An answer to an older question is left alone."""
    if row is None:
        model.objects.create(engagement=engagement, platform_id=platform_id, read_at=at, **columns)
        return True
    if row.read_at > at:
        return False
    again = {"gone_at": None, "is_provisional": False} if issubclass(model, Audited) else {}
    different = {name: value for name, value in {**columns, **again}.items() if getattr(row, name) != value}
    model.objects.filter(pk=row.pk).update(read_at=at, **different)
    return bool(different)


def _take_away(model: type[Any], rows: list[Any]) -> bool:
    """Take away what a whole list does not name. Requests and evidence are kept as gone: people have decided about them."""
    found = model.objects.filter(pk__in=[row.pk for row in rows])
    if issubclass(model, Audited):
        return bool(found.filter(gone_at=None).update(gone_at=timezone.now()))
    return bool(found.delete()[0])


def request_columns(found: remote.InformationRequest) -> dict[str, Any]:
    """Return what a row repeats of an information request."""
    name, unique_id = found.title[:MAX_NAME_LENGTH], (found.unique_id or "")[:MAX_NAME_LENGTH]
    owner = (found.owner_assignment or {}).get("displayName")
    return {
        "name": name,
        "unique_id": unique_id,
        "status": found.approval_status[:MAX_WORD_LENGTH],
        "request_type": (found.request_type or "")[:MAX_WORD_LENGTH],
        "owner_name": owner[:MAX_NAME_LENGTH] if isinstance(owner, str) else "",
        "due_at": found.due_date,
        "due_sort": found.due_date or NO_DATE,
        "deleted_at": found.deletion_date,
        "search": search_text(unique_id, name, (found.description or "")[:MAX_SEARCHED_LENGTH]),
        "payload": found.raw,
    }


def evidence_columns(found: remote.AuditEvidence) -> dict[str, Any]:
    """Return what a row repeats of an evidence item. Its status is spelled as in events, whatever the platform sent."""
    name = found.name[:MAX_NAME_LENGTH]
    return {
        "name": name,
        "status": found.status[:MAX_WORD_LENGTH],
        "evidence_type": (found.evidence_type or "")[:MAX_WORD_LENGTH],
        "status_updated_at": found.status_updated_date,
        "deleted_at": found.deletion_date,
        "search": search_text(name, (found.description or "")[:MAX_SEARCHED_LENGTH]),
        "payload": found.raw,
    }


def control_columns(found: remote.AuditControl) -> dict[str, Any]:
    return {"name": found.name[:MAX_NAME_LENGTH], "payload": found.raw}
