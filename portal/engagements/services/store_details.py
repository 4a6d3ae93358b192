"""One request, evidence item or control with what belongs to it becomes rows. Runs in the caller's transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.engagements.models import Audited, EngagementControl, EngagementPart, EvidenceItem, InformationRequest, PartKind
from portal.engagements.services.payloads import cleaned, without_address
from portal.engagements.services.store_lists import evidence_columns, request_columns, save_row
from portal.lib.json_texts import texts_in
from portal.platform_api.models import audits as remote
from portal.platform_api.models.remote import Listed
from portal.platform_api.paging import Collected
from portal.sync.copies import search_text

BATCH = 200
WITH_ADDRESSES = (PartKind.REQUEST_EVIDENCE, PartKind.EVIDENCE_FILE)


@dataclass(frozen=True)
class FetchedDetails:
    """One object of an audit and the lists that belong to it, and when the platform was asked for them."""

    object_id: str
    asked_at: datetime
    found: Listed | None
    """None for a control: no call tells of one alone."""
    lists: Mapping[PartKind, Collected[Any]]

    @property
    def problem(self) -> str:
        """Say what could not be read; empty when nothing."""
        return "; ".join(filter(None, (each.problem for each in self.lists.values())))


def store_request(fetched: FetchedDetails) -> bool:
    """Make the request and what belongs to it equal to what was fetched; True when something changed."""
    return _store_details(InformationRequest, fetched)


def store_evidence(fetched: FetchedDetails) -> bool:
    return _store_details(EvidenceItem, fetched)


def store_control(fetched: FetchedDetails) -> bool:
    return _store_details(EngagementControl, fetched)


def _store_details(model: type[Any], fetched: FetchedDetails) -> bool:
    row = model.objects.select_related("engagement").filter(platform_id=fetched.object_id).first()
    if row is None:
        return False
    changed = store_object(row, fetched.found, asked_at=fetched.asked_at) if fetched.found else False
    for kind, found in fetched.lists.items():
        changed |= store_list(row, kind, found, fetched.asked_at)
    is_first = row.details_read_at is None
    model.objects.filter(pk=row.pk).update(details_read_at=fetched.asked_at)
    return changed or is_first


def store_object(row: Audited, found: Listed, *, asked_at: datetime) -> bool:
    """Make one request or evidence item equal to what was fetched of it alone; True when it changed."""
    payload = cleaned(found.raw)
    if isinstance(row, InformationRequest):
        columns = request_columns(remote.InformationRequest.read(payload))
    else:
        columns = evidence_columns(remote.AuditEvidence.read(payload))
    model: type[Any] = type(row)
    locked = model._default_manager.select_for_update().get(pk=row.pk)
    return save_row(locked, model, locked.engagement, locked.platform_id, columns, asked_at)


def store_part(row: Any, kind: PartKind, found: Listed, *, asked_at: datetime) -> None:
    """Store one part that was read by itself; its place in the list stays, a new one comes last."""
    of_parent = EngagementPart.objects.of(row, kind)
    known = of_parent.select_for_update().filter(platform_id=found.id).first()
    position = known.position if known else of_parent.count()
    _upsert([_part(row, kind, found.id, cleaned(found.raw), position, asked_at)])


def drop_part(row: Any, kind: PartKind, part_id: str) -> None:
    """Take a part away that the platform's list names no longer."""
    EngagementPart.objects.of(row, kind).filter(platform_id=part_id).delete()


def store_list(row: Any, kind: PartKind, found: Collected[Any], at: datetime) -> bool:
    """Make what belongs to an object equal to a list of it; True when something changed."""
    known = {each.platform_id: each for each in EngagementPart.objects.of(row, kind).select_for_update()}
    payloads = cleaned([one.raw for one in found.items])
    parts = [
        _part(row, kind, one.id, said, place, at) for place, (one, said) in enumerate(zip(found.items, payloads, strict=True))
    ]
    changed = [part for part in parts if _differs(known.get(part.platform_id), part)]
    _upsert(changed)
    if not found.is_whole:
        return bool(changed)
    named = {part.platform_id for part in parts} | {each.id for each in found.unread}
    vanished = [each.pk for key, each in known.items() if key not in named and each.read_at <= at]
    EngagementPart.objects.filter(pk__in=vanished).delete()
    return bool(changed or vanished)


def _part(row: Any, kind: PartKind, part_id: str, payload: Any, position: int, at: datetime) -> EngagementPart:
    return EngagementPart(
        engagement=row.engagement,
        kind=kind,
        parent_id=row.platform_id,
        platform_id=part_id,
        position=position,
        **part_columns(without_address(payload) if kind in WITH_ADDRESSES else payload),
        read_at=at,
    )


def part_columns(payload: Any) -> dict[str, Any]:
    """Return what is stored of a part, and what it is found by: every text in it."""
    return {"payload": payload, "search": search_text(*texts_in(payload))}


def _differs(before: EngagementPart | None, after: EngagementPart) -> bool:
    """Say whether a row has to be written. What was read back after this list was asked for stays (guarantee Q11)."""
    if before is None:
        return True
    is_same = (before.payload, before.position) == (after.payload, after.position)
    return before.read_at <= after.read_at and not is_same


def _upsert(rows: list[EngagementPart]) -> None:
    EngagementPart.objects.bulk_create(
        rows,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["engagement", "kind", "parent_id", "platform_id"],
        update_fields=["payload", "search", "position", "read_at"],
    )
