"""From a document to the text of its pages. The file is kept until it was read; the text stays until a person removes it."""

import logging
from functools import partial
from typing import IO, Any

from django.core.files import File
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.contracts.models import (
    MAX_READING_ATTEMPTS,
    READING_LEASE,
    Contract,
    ContractPage,
    Reading,
    ReadingState,
    Upload,
)
from portal.contracts.services.checks import check
from portal.contracts.services.store import AREA, CONTRACT
from portal.contracts.text_extraction import text_was_read
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.text_extraction import Document, TooManyReadings, read_document
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership
from portal.users.models import User

logger = logging.getLogger(__name__)

READ = "portal.contracts.tasks.read_document"
GIVEN_UP = "Text extraction stopped partway several times."
FILE_MISSING = "The stored file is missing. Upload the PDF again."
AT_ONCE = 200


def hand_in_for_reading(contract: Contract, file: IO[Any], *, member: Membership) -> None:
    """Take a document of a contract that is on the platform already, for its text alone."""
    check(member)
    reading = Reading(tenant_id=member.tenant_id)
    reading.file.save("document.pdf", File(file), save=False)
    name = reading.file.name or ""
    try:
        with transaction.atomic():
            ask_for_reading(contract, name, by=member.user)
            summary = f"Uploaded the PDF of {contract.title[:150]} for text search."
            record("contract.hand_in", target=(CONTRACT, contract.platform_id), summary=summary, actor=member.user)
    except Exception:
        reading.file.storage.delete(name)
        raise


def read_uploaded(upload: Upload, contract: Contract) -> None:
    """The platform has the document of an upload: the same file is read before it goes. In the transaction of the settling."""
    name = upload.file.name
    if not name:
        return
    # The row that reads it owns the file from now on.
    Upload.objects.filter(pk=upload.pk).update(file="")
    ask_for_reading(contract, name, by=upload.uploaded_by)


def ask_for_reading(contract: Contract, name: str, *, by: User | None) -> None:
    before = Reading.objects.select_for_update().filter(contract=contract).first()
    if before:
        forget_document(before)
    columns = {"state": ReadingState.WAITING, "description": "", "page_count": 0, "lease_until": None, "settled_at": None}
    columns |= {"file": name, "handed_in_by": by, "handed_in_at": timezone.now()}
    # The number goes on: a worker that still reads the document before writes nothing.
    attempts = before.attempts + 1 if before else 0
    reading, _ = Reading.objects.update_or_create(contract=contract, defaults=columns | {"attempts": attempts, "tries": 0})
    touch_areas(AREA)
    enqueue_on_commit(READ, reading.tenant_id, reading.pk)


def run_reading(reading: Reading) -> bool:
    """Read one document; False when another worker has it, or other documents keep it waiting."""
    if not _claim(reading):
        return False
    if reading.tries > MAX_READING_ATTEMPTS:
        record_text_extraction(reading, Document(problem=GIVEN_UP))
        return True
    try:
        with reading.file.open("rb") as file:
            document = read_document(file.file)
    except FileNotFoundError:
        document = Document(problem=FILE_MISSING)
    except TooManyReadings:
        _give_back(reading)
        return False
    record_text_extraction(reading, document)
    return True


def _claim(reading: Reading) -> bool:
    now = timezone.now()
    values: dict[str, Any] = {"attempts": reading.attempts + 1, "tries": reading.tries + 1, "lease_until": now + READING_LEASE}
    if not Reading.objects.due(now).filter(pk=reading.pk, attempts=reading.attempts).update(**values):
        return False
    reading.attempts, reading.tries = values["attempts"], values["tries"]
    return True


def _give_back(reading: Reading) -> None:
    """Leave a document that was not begun with to the next sweep."""
    ours = Reading.objects.filter(pk=reading.pk, state=ReadingState.WAITING, attempts=reading.attempts)
    ours.update(tries=reading.tries - 1, lease_until=None)


@transaction.atomic
def record_text_extraction(reading: Reading, document: Document) -> None:
    """Store the text, if the row still counts this attempt. The text from before stays where the new document has none."""
    now, state = timezone.now(), ReadingState.NONE
    if document.problem:
        state = ReadingState.FAILED
    elif document.has_text:
        state = ReadingState.READ
    words = (document.problem or document.remark)[:300]
    claimed = Reading.objects.filter(pk=reading.pk, state=ReadingState.WAITING, attempts=reading.attempts)
    columns = {"state": state, "description": words, "page_count": document.page_count, "settled_at": now, "lease_until": None}
    if not claimed.update(**columns):
        return
    forget_document(reading)
    if state == ReadingState.READ and reading.contract:
        store_pages(reading.contract, document)
    touch_areas(AREA)


def store_pages(contract: Contract, document: Document) -> None:
    ContractPage.objects.filter(contract=contract).delete()
    pages = [
        ContractPage(contract=contract, number=number, text=text, search=text.casefold())
        for number, text in sorted(document.pages.items())
    ]
    ContractPage.objects.bulk_create(pages, batch_size=AT_ONCE)
    Contract.objects.filter(pk=contract.pk).update(read_at=timezone.now())
    tell = partial(text_was_read.send_robust, Contract, tenant_id=contract.tenant_id, contract_id=contract.pk)
    transaction.on_commit(tell, robust=True)


@transaction.atomic
def remove_text(contract: Contract, *, member: Membership) -> bool:
    """Remove the text of a contract, and a document that still waits to be read; False when there was neither."""
    check(member)
    number, _ = ContractPage.objects.filter(contract=contract).delete()
    reading = Reading.objects.select_for_update().filter(contract=contract).first()
    was_waiting = reading is not None and reading.state == ReadingState.WAITING
    if reading:
        forget_document(reading)
        columns = {"state": ReadingState.REMOVED, "description": "", "settled_at": timezone.now(), "lease_until": None}
        Reading.objects.filter(pk=reading.pk).update(**columns)
    Contract.objects.filter(pk=contract.pk).update(read_at=None)
    if not number and not was_waiting:
        return False
    summary = f"Removed the text of {contract.title[:150]}."
    record("contract.remove_text", target=(CONTRACT, contract.platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)
    return True


def forget_document(reading: Reading) -> None:
    """Delete the stored file once the current transaction has committed; a sweep finds what a crash leaves behind."""
    name = reading.file.name
    if name:
        transaction.on_commit(partial(_delete_document, reading, name), robust=True)


def _delete_document(reading: Reading, name: str) -> None:
    reading.file.storage.delete(name)
    Reading.objects.filter(pk=reading.pk, file=name).update(file="")
