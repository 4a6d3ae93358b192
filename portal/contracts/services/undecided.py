"""Uploads whose external id is in use: the file is kept until a person says what becomes of it."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.contracts.documents import MAX_EXTERNAL_ID_LENGTH
from portal.contracts.models import Contract, Upload, UploadState
from portal.contracts.services.checks import check
from portal.contracts.services.intake import queue_began_at
from portal.contracts.services.outcomes import SEND, UPLOAD
from portal.contracts.services.store import AREA, CONTRACT
from portal.contracts.services.text_extraction import ask_for_reading
from portal.contracts.services.upload_actions import NotPossible
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership

MAX_NUMBERED = 100
IN_USE = "This id is in use. Enter another one."
DECIDED = "Someone else already decided this."


def free_id(external_id: str) -> str:
    """Return the next id after this one that nothing has: `MSA-1 (2)`. Empty when there is none of so many."""
    tails = [f" ({number})" for number in range(2, MAX_NUMBERED)]
    offered = [external_id[: MAX_EXTERNAL_ID_LENGTH - len(tail)] + tail for tail in tails]
    return next((each for each in offered if not is_in_use(each)), "")


def is_in_use(external_id: str) -> bool:
    there = Contract.objects.present().of_external_id(external_id).exists()
    return there or Upload.objects.open().filter(external_id=external_id).exists()


def send_under(upload: Upload, external_id: str, *, member: Membership) -> Upload:
    """Send a kept document under another external id: a contract beside the one that exists. Raises NotPossible."""
    check(member)
    if is_in_use(external_id):
        raise NotPossible(IN_USE)
    try:
        with transaction.atomic():
            row = _lock(upload)
            before = row.external_id
            row.queue_began_at = queue_began_at()
            row.state, row.external_id, row.contract = UploadState.WAITING, external_id, None
            row.due_at, row.settled_at, row.in_doubt_since = timezone.now(), None, None
            row.uploaded_by, row.uploaded_by_name = member.user, str(member.user)[:120]
            row.last_error, row.cursor, row.trail = "", "", {}
            row.save()
            details = {"external_id": external_id, "before": before}
            summary = f"Sent {row} under another external id."
            record("contract.upload_under", target=(UPLOAD, str(row.pk)), summary=summary, details=details, actor=member.user)
            touch_areas(AREA)
            enqueue_on_commit(SEND, row.tenant_id, row.pk)
    except IntegrityError:
        raise NotPossible(IN_USE) from None
    return row


@transaction.atomic
def keep_as_text(upload: Upload, *, member: Membership) -> Contract:
    """Read a kept document as the text of the contract that exists; nothing is sent. Raises NotPossible."""
    check(member)
    row = _lock(upload)
    contract = row.contract
    if contract is None or contract.gone_at is not None:
        raise NotPossible("This contract no longer exists on the platform.")
    name = row.file.name or ""
    # The row that reads it owns the file from now on.
    row.state, row.settled_at, row.file = UploadState.DISCARDED, timezone.now(), ""
    row.save(update_fields=["state", "settled_at", "file"])
    ask_for_reading(contract, name, by=member.user)
    summary = f"Uploaded the PDF of {contract.title[:150]} for text search."
    record("contract.hand_in", target=(CONTRACT, contract.platform_id[:100]), summary=summary, actor=member.user)
    return contract


def _lock(upload: Upload) -> Upload:
    row = Upload.objects.select_for_update(of=("self",)).select_related("contract").get(pk=upload.pk)
    if not row.is_undecided:
        raise NotPossible(DECIDED)
    return row
