"""What people do with uploads that have not arrived, and what a new connection does for them."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.contracts.models import A_MINUTE, Reading, Upload, UploadState
from portal.contracts.services.checks import check
from portal.contracts.services.intake import queue_began_at
from portal.contracts.services.outcomes import SEND, UPLOAD, forget_file
from portal.contracts.services.store import AREA
from portal.contracts.services.text_extraction import forget_document
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership

MAX_FILES = 1000
"""Deleted in one turn of the sweep."""


class NotPossible(Exception):
    """The upload is being sent right now, or has come to its end. Its text says so to the person."""


@transaction.atomic
def discard(upload: Upload, *, member: Membership) -> Upload:
    """Give an upload up and delete its file. Raises NotPossible."""
    check(member)
    upload = Upload.objects.select_for_update().get(pk=upload.pk)
    now = timezone.now()
    if not upload.is_discardable or not upload.is_free(now):
        raise NotPossible("This upload is being sent right now or is already finished.")
    words = "which had not arrived"
    if upload.state == UploadState.UNCERTAIN:
        words = "which may have arrived"
    elif upload.state == UploadState.PRESENT:
        words = "whose external id was already in use"
    upload.state, upload.settled_at = UploadState.DISCARDED, now
    upload.save(update_fields=["state", "settled_at"])
    record(
        "contract.discard_upload",
        target=(UPLOAD, str(upload.pk)),
        summary=f"Discarded the upload {upload}, {words}.",
        details={"external_id": upload.external_id},
        actor=member.user,
    )
    forget_file(upload)
    touch_areas(AREA)
    return upload


@transaction.atomic
def discard_waiting(*, member: Membership) -> int:
    """Give up every upload of which nothing has left yet; return how many. Their files go with the next sweep."""
    check(member)
    now = timezone.now()
    number = Upload.objects.cancelable(now).update(state=UploadState.DISCARDED, settled_at=now)
    if number:
        words = "an upload that was" if number == 1 else f"{number:,} uploads that were"
        target, summary = (UPLOAD, "waiting"), f"Discarded {words} waiting for the platform."
        record("contract.discard_uploads", target=target, summary=summary, details={"number": number}, actor=member.user)
        touch_areas(AREA)
    return number


def send_again(upload: Upload, *, member: Membership) -> Upload:
    """Send a refused upload once more, on this member's word from now on. Raises NotPossible."""
    check(member)
    try:
        with transaction.atomic():
            return _reopen(upload, member)
    except IntegrityError:
        raise NotPossible("Another upload with the same external id is on its way. Discard one of the two.") from None


def _reopen(upload: Upload, member: Membership) -> Upload:
    upload = Upload.objects.select_for_update().get(pk=upload.pk)
    if not upload.is_repeatable:
        raise NotPossible("This upload is on its way or already finished.")
    upload.queue_began_at = queue_began_at()
    upload.state, upload.due_at, upload.settled_at, upload.last_error = UploadState.WAITING, timezone.now(), None, ""
    upload.uploaded_by, upload.uploaded_by_name = member.user, str(member.user)[:120]
    columns = ["queue_began_at", "state", "due_at", "settled_at", "last_error", "uploaded_by", "uploaded_by_name"]
    upload.save(update_fields=columns)
    target, details = (UPLOAD, str(upload.pk)), {"external_id": upload.external_id}
    record("contract.send_again", target=target, summary=f"Sent {upload} once more.", details=details, actor=member.user)
    touch_areas(AREA)
    enqueue_on_commit(SEND, upload.tenant_id, upload.pk)
    return upload


@transaction.atomic
def wake_uploads() -> None:
    """The tenant has a new connection: what waited for one goes out now."""
    now = timezone.now()
    if Upload.objects.open().filter(due_at__gt=now).update(due_at=now):
        touch_areas(AREA)
    for tenant_id, upload_id in Upload.objects.due(now).values_list("tenant_id", "pk")[:A_MINUTE]:
        enqueue_on_commit(SEND, tenant_id, upload_id)


def delete_leftover_files() -> None:
    """Delete the files of uploads that were discarded together, and those that a process which died has left behind."""
    for upload in Upload.objects.with_leftover_file()[:MAX_FILES]:
        forget_file(upload)
    for reading in Reading.objects.with_leftover_file()[:MAX_FILES]:
        forget_document(reading)
