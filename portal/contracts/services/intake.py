"""A file comes in: it is kept, with everything that is needed to send it, before anything is sent."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from hashlib import file_digest
from typing import IO, Any

from django.core.files import File
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.contracts.models import Contract, Upload, UploadState
from portal.contracts.services.checks import check
from portal.contracts.services.outcomes import SEND
from portal.contracts.services.store import AREA, CONTRACT
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership

logger = logging.getLogger(__name__)

SAME_NAME = "Another document in this upload has the same name. Upload this one on its own, with an external id."
NOT_KEPT = "We couldn't store this file. Try again in a moment."


class AlreadyThere(Exception):
    """The platform has this very document under its external id: it was uploaded from here."""

    def __init__(self, contract: Contract) -> None:
        super().__init__(contract.platform_id)
        self.contract = contract


class AlreadyOnItsWay(Exception):
    """Somebody has uploaded this very document, and it has not arrived yet."""


@dataclass(frozen=True, kw_only=True)
class NewUpload:
    """What a person handed in."""

    file: IO[Any]
    filename: str
    external_id: str
    executed_on: date | None = None
    account_id: str = ""


def accept_upload(new: NewUpload, *, member: Membership) -> Upload:
    """Keep a file and have it sent. Raises AlreadyThere, AlreadyOnItsWay.

    Another document whose external id is in use is kept, too, and waits for a person.
    """
    check(member)
    digest = _digest_of(new.file)
    existing = _look_for(new, digest)
    kept = Upload.objects.filter(state=UploadState.PRESENT, external_id=new.external_id, digest=digest).exclude(file="").first()
    if kept:
        return kept
    is_free = existing is None and not Upload.objects.open().filter(external_id=new.external_id).exists()
    content = File(new.file, name=new.filename)
    upload = Upload(
        state=UploadState.WAITING if is_free else UploadState.PRESENT,
        contract=existing,
        settled_at=None if is_free else timezone.now(),
        digest=digest,
        tenant_id=member.tenant_id,
        filename=new.filename,
        size=content.size,
        external_id=new.external_id,
        executed_on=new.executed_on,
        account_id=new.account_id,
        uploaded_by=member.user,
        uploaded_by_name=str(member.user)[:120],
    )
    # The file first: a row never stands for a file that is not there. Written outside of the transaction, which locks.
    upload.file.save(new.filename, content, save=False)
    try:
        with transaction.atomic():
            upload.queue_began_at = queue_began_at()
            upload.save()
            touch_areas(AREA)
            if is_free:
                enqueue_on_commit(SEND, upload.tenant_id, upload.pk)
    except Exception as error:
        upload.file.storage.delete(upload.file.name or "")
        if isinstance(error, IntegrityError):
            raise AlreadyOnItsWay from None
        raise
    return upload


def _look_for(new: NewUpload, digest: str) -> Contract | None:
    """Return the contract that has the external id. Raises AlreadyThere, AlreadyOnItsWay for the same document."""
    existing = Contract.objects.present().of_external_id(new.external_id).first()
    if existing:
        # Looked at again, in case the platform has lost it since: no event would have told.
        fetch_now((CONTRACT, existing.platform_id))
        if Upload.objects.filter(contract=existing, state=UploadState.DONE, digest=digest).exists():
            raise AlreadyThere(existing)
    elif Upload.objects.open().filter(external_id=new.external_id, digest=digest).exists():
        raise AlreadyOnItsWay
    return existing


def _digest_of(file: IO[Any]) -> str:
    """Return the SHA-256 of a document, and go back to its start."""
    file.seek(0)
    digest = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # every upload can be read into a buffer
    file.seek(0)
    return digest


def queue_began_at() -> datetime:
    """When the queue was last empty: now, unless something waits."""
    first = Upload.objects.open().order_by("queue_began_at").values_list("queue_began_at", flat=True).first()
    return first or timezone.now()


class Outcome(StrEnum):
    """What came of one document of many."""

    TAKEN = "taken"
    ON_ITS_WAY = "on its way"
    THERE = "there"
    UNDECIDED = "undecided"
    """Its external id is in use; the file is kept until a person decides."""
    REFUSED = "refused"


@dataclass(frozen=True)
class Result:
    """One document of many, and what came of it."""

    name: str
    outcome: Outcome
    description: str = ""
    """Why it was not taken, for the person."""
    upload: Upload | None = None
    contract: Contract | None = None


def accept_uploads(documents: Sequence[NewUpload], *, member: Membership) -> list[Result]:
    """Keep many files and have them sent. One that cannot be taken keeps nobody from the others."""
    check(member)
    seen, results = set[str](), list[Result]()
    for new in documents:
        if new.external_id in seen:
            results.append(Result(new.filename, Outcome.REFUSED, SAME_NAME))
            continue
        seen.add(new.external_id)
        results.append(_accept(new, member=member))
    return results


def _accept(new: NewUpload, *, member: Membership) -> Result:
    try:
        upload = accept_upload(new, member=member)
        outcome = Outcome.UNDECIDED if upload.is_undecided else Outcome.TAKEN
        return Result(new.filename, outcome, upload=upload, contract=upload.contract)
    except AlreadyThere as found:
        return Result(new.filename, Outcome.THERE, contract=found.contract)
    except AlreadyOnItsWay:
        return Result(new.filename, Outcome.ON_ITS_WAY)
    except OSError:
        logger.exception("a contract of tenant %s could not be kept", member.tenant_id)
        return Result(new.filename, Outcome.REFUSED, NOT_KEPT)
