"""A file comes in: it is kept, with everything that is needed to send it, before anything is sent."""

from dataclasses import dataclass
from datetime import date
from typing import IO, Any

from django.core.exceptions import PermissionDenied
from django.core.files import File
from django.db import IntegrityError, transaction

from portal.contracts.models import Contract, Upload
from portal.contracts.services.settling import SEND
from portal.contracts.services.storing import AREA, CONTRACT
from portal.lib.bell import ring
from portal.live.services import changed
from portal.sync.bell import ring as ring_for_marks
from portal.sync.services import mark_stale
from portal.tenants.models import Membership, Role


class AlreadyThere(Exception):
    """The platform has a contract with this external id."""

    def __init__(self, contract: Contract) -> None:
        super().__init__(contract.platform_id)
        self.contract = contract


class AlreadyOnItsWay(Exception):
    """Somebody has uploaded a document with this external id, and it has not arrived yet."""


@dataclass(frozen=True, kw_only=True)
class NewUpload:
    """What a person handed in."""

    file: IO[Any]
    filename: str
    external_id: str
    executed_on: date | None = None


def accept_upload(new: NewUpload, *, member: Membership) -> Upload:
    """Keep a file and have it sent. Raises AlreadyThere, AlreadyOnItsWay."""
    check(member)
    existing = Contract.objects.present().of_external_id(new.external_id).first()
    if existing:
        # Looked at again, in case the platform has lost it since: no event would have told.
        mark_stale(CONTRACT, existing.platform_id, urgent=True)
        ring_for_marks()
        raise AlreadyThere(existing)
    if Upload.objects.open().filter(external_id=new.external_id).exists():
        raise AlreadyOnItsWay
    content = File(new.file, name=new.filename)
    upload = Upload(
        tenant_id=member.tenant_id,
        filename=new.filename,
        size=content.size,
        external_id=new.external_id,
        executed_on=new.executed_on,
        uploaded_by=member.user,
        uploaded_by_name=str(member.user)[:120],
    )
    # The file first: a row never stands for a file that is not there. Written outside of the transaction, which locks.
    upload.file.save(new.filename, content, save=False)
    try:
        with transaction.atomic():
            upload.save()
            changed(AREA)
            ring(SEND, upload.tenant_id, upload.pk)
    except Exception as error:
        upload.file.storage.delete(upload.file.name or "")
        if isinstance(error, IntegrityError):
            raise AlreadyOnItsWay from None
        raise
    return upload


def check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
