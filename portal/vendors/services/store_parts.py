"""What belongs to one vendor becomes rows: read together, because the platform lists it for one vendor at a time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.platform_api.models.remote import Listed
from portal.platform_api.paging import Collected
from portal.vendors.models import Part, PartKind, Vendor
from portal.vendors.services.payloads import cleaned

BATCH = 200

type Key = tuple[str, str]


@dataclass(frozen=True)
class FetchedParts:
    """The parts of one vendor as far as they could be read, and when the platform was asked for them."""

    vendor_id: str
    asked_at: datetime
    lists: Mapping[PartKind, Collected[Any]]
    review_documents: Mapping[str, Collected[Any]]
    """By the id of their security review."""

    @property
    def problem(self) -> str:
        """Say what could not be read; empty when nothing."""
        found = [*self.lists.items(), *((PartKind.REVIEW_DOCUMENT, each) for each in self.review_documents.values())]
        return "; ".join(f"{kind.label.lower()}: {each.problem}" for kind, each in found if each.problem)


def store_parts(fetched: FetchedParts) -> bool:
    """Make the rows equal to the lists; True when one of them changed. What could not be read stays as it is."""
    vendor = Vendor.objects.select_for_update().filter(platform_id=fetched.vendor_id).first()
    if vendor is None:
        return False
    known = {(row.kind, row.platform_id): row for row in Part.objects.filter(vendor=vendor)}
    # A document may stand with two reviews: it is stored once, with the last of them.
    rows = [*{(row.kind, row.platform_id): row for row in _rows(vendor, fetched)}.values()]
    changed = [row for row in rows if _differs(known.get((row.kind, row.platform_id)), row)]
    _upsert(changed)
    vanished = _vanished(known, rows, fetched)
    Part.objects.filter(pk__in=[row.pk for row in vanished]).delete()
    is_first = vendor.parts_read_at is None
    Vendor.objects.filter(pk=vendor.pk).update(parts_read_at=fetched.asked_at)
    return bool(changed or vanished or is_first)


def store_part(vendor: Vendor, kind: PartKind, found: Listed, *, asked_at: datetime) -> None:
    """Store one part that was read by itself; its place in the list stays, a new one comes last. Call it in a transaction."""
    # First, as who stores all of them: a new part whose vendor is held by somebody who brings it too would never end.
    Vendor.objects.select_for_update().filter(pk=vendor.pk).first()
    known = Part.objects.select_for_update().filter(vendor=vendor, kind=kind, platform_id=found.id).first()
    position = known.position if known else Part.objects.filter(vendor=vendor, kind=kind).count()
    _upsert([_row(vendor, kind, found.id, cleaned(found.raw), position=position, asked_at=asked_at)])


def _rows(vendor: Vendor, fetched: FetchedParts) -> Iterable[Part]:
    lists = [(kind, "", found) for kind, found in fetched.lists.items()]
    lists += [(PartKind.REVIEW_DOCUMENT, review, found) for review, found in fetched.review_documents.items()]
    for kind, review_id, found in lists:
        # Cleaned together: looking for people who were erased is one query then.
        payloads = cleaned([one.raw for one in found.items])
        for position, (one, payload) in enumerate(zip(found.items, payloads, strict=True)):
            yield _row(vendor, kind, one.id, payload, position=position, asked_at=fetched.asked_at, review_id=review_id)


def _row(
    vendor: Vendor, kind: PartKind, part_id: str, payload: Any, *, position: int, asked_at: datetime, review_id: str = ""
) -> Part:
    return Part(
        vendor=vendor,
        kind=kind,
        platform_id=part_id,
        payload=payload,
        position=position,
        review_id=review_id,
        read_at=asked_at,
    )


def _differs(before: Part | None, after: Part) -> bool:
    """Say whether a row has to be written. What was read back after this list was asked for stays (guarantee Q11)."""
    if before is None:
        return True
    is_same = (before.payload, before.position, before.review_id) == (after.payload, after.position, after.review_id)
    return before.read_at <= after.read_at and not is_same


def _vanished(known: Mapping[Key, Part], rows: Iterable[Part], fetched: FetchedParts) -> list[Part]:
    """Return the rows that a whole list does not name any more."""
    named = {(row.kind, row.platform_id) for row in rows}
    documents = fetched.review_documents
    whole = {kind: found for kind, found in fetched.lists.items() if found.is_whole}
    unread = {each.id for found in (*fetched.lists.values(), *documents.values()) for each in found.unread}

    def is_vanished(key: Key, row: Part) -> bool:
        if key in named or row.platform_id in unread or row.read_at > fetched.asked_at:
            return False
        if row.kind != PartKind.REVIEW_DOCUMENT:
            return PartKind(row.kind) in whole
        # Of a review whose documents were not asked for, they stay as long as the review, which may be one that cannot be read.
        is_listed = (PartKind.REVIEW, row.review_id) in named or row.review_id in unread
        return documents[row.review_id].is_whole if row.review_id in documents else not is_listed and PartKind.REVIEW in whole

    return [row for key, row in known.items() if is_vanished(key, row)]


def _upsert(rows: Iterable[Part]) -> None:
    Part.objects.bulk_create(
        rows,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["vendor", "kind", "platform_id"],
        update_fields=["payload", "position", "review_id", "read_at"],
    )
