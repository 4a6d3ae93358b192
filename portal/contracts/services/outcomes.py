"""What came of an attempt, written into the row, as long as the row still counts that attempt."""

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.audit.services import record
from portal.contracts.models import LEASE, Contract, Upload, UploadState
from portal.contracts.services.store import AREA, CONTRACT, store_contract
from portal.contracts.services.text_extraction import read_uploaded
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.platform_api import models as remote
from portal.sync.services import mark_stale
from portal.sync.services.waits import wait_after
from portal.sync.wake import wake_drain

SEND = "portal.contracts.tasks.send_upload"
UPLOAD = "contract_upload"
"""The kind of an upload in the history."""
CLOCKS_DIFFER = timedelta(minutes=2)
"""A contract that came of our call may be dated so much earlier than the call."""


def claimed(upload: Upload) -> QuerySet[Upload]:
    """The row, if the attempt that `upload` was claimed for still owns it."""
    return Upload.objects.open().filter(pk=upload.pk, attempts=upload.attempts)


def record_outcome(upload: Upload, found: remote.Contract) -> None:
    """The platform has a contract with this external id: it came of a call whose answer was lost, or was there before."""
    since = upload.in_doubt_since
    is_ours = since is not None and (found.creation_date or since) >= since - CLOCKS_DIFFER
    finish(upload, found, UploadState.DONE if is_ours else UploadState.PRESENT)


@transaction.atomic
def finish(upload: Upload, found: remote.Contract, state: UploadState) -> None:
    """Write down which contract it is now, and forget the file."""
    store_contract(found)
    contract = Contract.objects.get(platform_id=found.id)
    settled = {"state": state, "contract": contract, "settled_at": timezone.now()}
    if not claimed(upload).update(**settled, lease_until=None, last_error="", cursor="", trail={}):
        return
    if state == UploadState.DONE:
        action, summary = "contract.upload", f"Uploaded {upload}."
    else:
        action, summary = "contract.repeat_upload", f"Tried to upload {upload}; its external id was already in use."
    record(
        action,
        target=(CONTRACT, contract.platform_id),
        summary=summary,
        details={"external_id": upload.external_id, "attempts": upload.attempts},
        actor=upload.uploaded_by,
    )
    if state == UploadState.DONE:
        read_uploaded(upload, contract)
    # Else the file stays: what the platform has under this id may be another document, and a person decides.
    # The answer to a write is not the last word: the object is fetched once more.
    mark_stale(CONTRACT, contract.platform_id)
    wake_drain()
    touch_areas(AREA)


@transaction.atomic
def postpone(upload: Upload, error: Exception, *, description: str = "") -> None:
    """Put the next attempt into the row. What is in doubt stays so."""
    now, wait = timezone.now(), wait_after(error, attempts=upload.attempts)
    state = UploadState.UNCERTAIN if upload.state == UploadState.UNCERTAIN else UploadState.WAITING
    due_at = now + wait.delay
    if not claimed(upload).update(
        state=state, due_at=due_at, last_error=(description or wait.description)[:300], lease_until=None
    ):
        return
    if wait.is_of_tenant:
        # The others would only hear the same.
        Upload.objects.free(now).filter(state=UploadState.WAITING, due_at__lt=due_at).update(due_at=due_at)
    touch_areas(AREA)


@transaction.atomic
def mark_uncertain(upload: Upload, error: Exception) -> None:
    """The answer was lost. The first time it is looked into at once: nobody should wait to hear what came of it."""
    is_news = upload.in_doubt_since is None
    if is_news and upload.lease_until:
        claimed(upload).update(in_doubt_since=upload.lease_until - LEASE)
    upload.state = UploadState.UNCERTAIN
    postpone(upload, error)
    if is_news:
        claimed(upload).update(due_at=timezone.now())
        enqueue_on_commit(SEND, upload.tenant_id, upload.pk)


@transaction.atomic
def refuse(upload: Upload, words: str) -> None:
    """A person has to look at it; the file stays until then."""
    words = words[:300]
    settled = {"state": UploadState.REFUSED, "settled_at": timezone.now(), "last_error": words}
    if not claimed(upload).update(**settled, lease_until=None):
        return
    details = {"external_id": upload.external_id, "answer": words}
    summary = f"{upload} did not become a contract."
    record("contract.refuse_upload", target=(UPLOAD, str(upload.pk)), summary=summary, details=details)
    touch_areas(AREA)


def forget_file(upload: Upload) -> None:
    """Delete the stored file once the current transaction has committed; a sweep finds what a crash leaves behind."""
    transaction.on_commit(partial(_delete_file, upload), robust=True)


def _delete_file(upload: Upload) -> None:
    if upload.file.name:
        upload.file.storage.delete(upload.file.name)
        Upload.objects.filter(pk=upload.pk).update(file="")
