"""What came of a file whose answer was lost: the document's list of files tells, and nothing is sent again unasked (W1)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from django.db import transaction
from django.utils import timezone

from portal.audit.models import Source
from portal.audit.services import record
from portal.documents.kinds import AREA, DETAILS, DOCUMENT, EVIDENCE
from portal.documents.models import ABSENT_AFTER, VERIFY_AGAIN_AFTER, Document, UploadAttempt, UploadState
from portal.lib.storable import storable_text
from portal.page_refresh.services import touch_areas
from portal.platform_api.models.documents import Upload as RemoteUpload
from portal.platform_api.paging import Collected
from portal.sync.freshness import fetch_now
from portal.tenants.scope import all_tenants

MAX_SWEPT = 500


class Sent(Protocol):
    """What is known of a file that was sent."""

    file_name: str
    known_ids: list[str]


def find_sent(attempt: Sent, listed: Iterable[RemoteUpload]) -> RemoteUpload | None:
    """Find the file in the document's list: it has the name that was sent, and was not there before."""
    before = set(attempt.known_ids)
    return next((each for each in listed if each.id not in before and _name(each) in ("", attempt.file_name)), None)


def _name(each: RemoteUpload) -> str:
    return storable_text(each.file_name or "")


def record_outcomes(document: Document, listed: Collected[RemoteUpload], *, asked_at: datetime) -> bool:
    """Settle what is in doubt by a list that was asked for then; True when a page says something else now."""
    is_changed = False
    for attempt in UploadAttempt.objects.in_doubt(asked_at).filter(document=document, begun_at__lt=asked_at):
        if found := find_sent(attempt, listed.items):
            note_uploaded(document, attempt, found)
        elif listed.is_whole and not listed.unread and asked_at - attempt.begun_at >= ABSENT_AFTER:
            UploadAttempt.objects.filter(pk=attempt.pk).update(state=UploadState.ABSENT)
        else:
            continue
        is_changed = True
    return is_changed


def note_uploaded(document: Document, attempt: UploadAttempt, found: RemoteUpload) -> None:
    """The file has arrived: write that down, once. Runs in the caller's transaction."""
    number, _ = UploadAttempt.objects.filter(pk=attempt.pk).delete()
    if not number:
        return
    summary = f"Uploaded “{attempt.file_name[:120]}” to the document “{str(document)[:120]}”."
    target = (DOCUMENT, document.platform_id)
    source = None if attempt.begun_by else Source.SYNC
    record("document.upload", target=target, summary=summary, actor=attempt.begun_by, source=source, details={"file": found.id})
    # A file changes how the document stands.
    fetch_now((DETAILS, document.platform_id))


@transaction.atomic
def mark_uncertain(attempt: UploadAttempt) -> None:
    """The answer was lost: the list is read at once, and again until it is sure."""
    rows = UploadAttempt.objects.filter(pk=attempt.pk, state=UploadState.SENDING)
    if rows.update(state=UploadState.UNCERTAIN, look_at=timezone.now() + VERIFY_AGAIN_AFTER):
        fetch_now((EVIDENCE, attempt.document.platform_id))
        touch_areas(AREA)


def due_verifications() -> list[tuple[int, int]]:
    """Return tenant and key of the attempts in doubt whose list has to be read again."""
    now = timezone.now()
    with all_tenants("the sweep looks for the uploads of every tenant"):
        rows = UploadAttempt.objects.in_doubt(now).filter(look_at__lte=now).order_by("look_at", "id")
        return list(rows.values_list("tenant_id", "pk")[:MAX_SWEPT])


@transaction.atomic
def verify_again(attempt_id: int) -> None:
    """Have the list read again that settles an attempt."""
    now = timezone.now()
    attempt = UploadAttempt.objects.in_doubt(now).select_related("document").filter(pk=attempt_id).first()
    if attempt is None:
        return
    # Marks, rows, area: whoever locks several locks them in this order.
    fetch_now((EVIDENCE, attempt.document.platform_id))
    UploadAttempt.objects.filter(pk=attempt.pk).update(state=UploadState.UNCERTAIN, look_at=now + VERIFY_AGAIN_AFTER)
    if attempt.state == UploadState.SENDING:
        touch_areas(AREA)
