"""Files, links and controls of one document: fetched when somebody opens it, and stored as the platform lists them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.documents.kinds import ACCOUNT_USER, DETAILS, EVIDENCE
from portal.documents.models import Document, Link, ProvenControl, Upload
from portal.documents.models.documents import MAX_NAME_LENGTH, MAX_URL_LENGTH, MAX_WORD_LENGTH
from portal.documents.services.outcomes import record_outcomes
from portal.documents.services.store import MAX_TEXT_LENGTH, name_of, whose_names_are_old
from portal.lib.storable import storable
from portal.platform_api import Platform
from portal.platform_api.identifiers import reference
from portal.platform_api.models import documents as remote
from portal.platform_api.models.compliance import Control
from portal.platform_api.paging import Collected, collect_each
from portal.sync.freshness import ask_for
from portal.sync.models import StaleMark
from portal.sync.services import mark_many

type Columns = Callable[[Any], dict[str, Any]]

EVIDENCE_HOLDS = timedelta(minutes=5)
DETAILS_HOLD_OPEN = timedelta(hours=1)
"""How old what a page shows of a document may be before opening it has it read again."""


@dataclass(frozen=True)
class Evidence:
    """What belongs to one document, as far as it could be read, and when the platform was asked for it."""

    document_id: str
    asked_at: datetime
    uploads: Collected[remote.Upload]
    links: Collected[remote.Link]
    controls: Collected[Control]

    @property
    def problem(self) -> str:
        """Say what could not be read; empty when nothing."""
        parts = {"files": self.uploads.problem, "links": self.links.problem, "controls": self.controls.problem}
        return "; ".join(f"{name}: {problem}" for name, problem in parts.items() if problem)


def ask_for_evidence(document: Document) -> None:
    """Have what is old of a document read again, because somebody looks at it. What waits already is left to wait."""
    now = timezone.now()
    holds = {EVIDENCE: (document.evidence_read_at, EVIDENCE_HOLDS), DETAILS: (document.details_read_at, DETAILS_HOLD_OPEN)}
    old = {kind for kind, (read_at, holding) in holds.items() if read_at is None or read_at < now - holding}
    if not old:
        return
    waiting = StaleMark.objects.waiting().filter(kind__in=old, object_id=document.platform_id)
    if fresh := old - set(waiting.values_list("kind", flat=True)):
        for kind in sorted(fresh):
            ask_for(kind, document.platform_id)


def fetch_evidence(client: Platform, document_id: str) -> Evidence:
    """Read the three lists of one document. Raises NotFound when the platform has no such document."""
    asked_at = timezone.now()
    documents = client.documents
    lists = collect_each(
        {
            "uploads": lambda cursor: documents.uploads.all.page(cursor, document_id),
            "links": lambda cursor: documents.links.all.page(cursor, document_id),
            "controls": lambda cursor: documents.controls.page(cursor, document_id),
        }
    )
    return Evidence(document_id, asked_at, **lists)


def mark_uploaders(fetched: Sequence[Evidence]) -> None:
    """Have the names of those fetched who uploaded the files."""
    uploads = [upload for each in fetched for upload in each.uploads.items]
    mark_many(ACCOUNT_USER, whose_names_are_old(each.uploaded_by.id for each in uploads if each.uploaded_by))


def store_evidence(fetched: Evidence) -> bool:
    """Make the rows equal to the lists; True when a page shows something else now. Runs in the caller's transaction."""
    document = Document.objects.select_for_update().filter(platform_id=fetched.document_id).first()
    if document is None:
        return False
    asked_at = fetched.asked_at
    changes = (
        document.evidence_read_at is None,
        store_children(Upload, document, fetched.uploads, upload_columns, asked_at=asked_at),
        store_children(Link, document, fetched.links, link_columns, asked_at=asked_at),
        store_children(ProvenControl, document, fetched.controls, control_columns, asked_at=asked_at),
        record_outcomes(document, fetched.uploads, asked_at=asked_at),
    )
    Document.objects.filter(pk=document.pk).update(evidence_read_at=timezone.now())
    return any(changes)


def store_children(
    model: type[Any], document: Document, fetched: Collected[Any], columns: Columns, *, asked_at: datetime
) -> bool:
    """Make the rows of one list equal to it. Only a whole list tells what is gone, and none undoes what is newer than it."""
    known = {row.platform_id: row for row in model._default_manager.filter(document=document)}
    new, is_changed = [], False
    for one in fetched.items:
        row, values = known.pop(one.id, None), columns(one)
        if row is None:
            new.append(model(document=document, platform_id=one.id, read_at=asked_at, **values))
        elif row.read_at <= asked_at and any(getattr(row, name) != value for name, value in values.items()):
            model._default_manager.filter(pk=row.pk).update(read_at=asked_at, **values)
            is_changed = True
    # Oldest first: rows without a date are shown in the order in which they came.
    model._default_manager.bulk_create(reversed(new))
    unread = {each.id for each in fetched.unread}
    gone = [row.pk for row in known.values() if row.platform_id not in unread and row.read_at <= asked_at]
    if gone and fetched.is_whole:
        model._default_manager.filter(pk__in=gone).delete()
        is_changed = True
    return is_changed or bool(new)


def keep_child(model: type[Any], document: Document, made: Any, columns: Columns) -> None:
    """Show what a person has just added, until the mirror reads the list. Runs in the caller's transaction."""
    # First, as who stores the lists: a new row whose document is held by somebody who brings it too would never end.
    Document.objects.select_for_update().filter(pk=document.pk).first()
    values = columns(made) | {"read_at": timezone.now()}
    model._default_manager.update_or_create(document=document, platform_id=made.id, defaults=values)


def upload_columns(fetched: remote.Upload) -> dict[str, Any]:
    found = remote.Upload.read(storable(fetched.raw))
    uploader = found.uploaded_by or remote.Uploader()
    uploader_id = reference(uploader.id)
    return {
        "file_name": (found.file_name or "")[:MAX_NAME_LENGTH],
        "title": found.title[:MAX_NAME_LENGTH],
        "description": (found.description or "")[:MAX_TEXT_LENGTH],
        "mime_type": found.mime_type[:MAX_WORD_LENGTH],
        "effective_at": found.effective_date,
        "uploaded_at": found.creation_date,
        "uploader_id": uploader_id,
        "uploader_type": (uploader.type or "")[:MAX_WORD_LENGTH],
        "uploader_name": name_of(uploader_id),
        "deleted_at": found.deletion_date,
    }


def link_columns(fetched: remote.Link) -> dict[str, Any]:
    found = remote.Link.read(storable(fetched.raw))
    return {
        "url": found.url[:MAX_URL_LENGTH],
        "title": found.title[:MAX_NAME_LENGTH],
        "description": (found.description or "")[:MAX_TEXT_LENGTH],
        "effective_at": found.effective_date,
        "created_at": found.creation_date,
    }


def control_columns(fetched: Control) -> dict[str, Any]:
    found = Control.read(storable(fetched.raw))
    return {"name": found.name[:MAX_NAME_LENGTH], "external_id": (found.external_id or "")[:MAX_NAME_LENGTH]}
