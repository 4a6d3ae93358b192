"""Sending a file to a document. The platform takes the same file twice, so one whose answer was lost is never sent again."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import BinaryIO

from django.db import IntegrityError, transaction

from portal.documents.errors import UploadUnderWay
from portal.documents.kinds import AREA
from portal.documents.models import Document, Upload, UploadAttempt, UploadState
from portal.documents.services.evidence import keep_child, upload_columns
from portal.documents.services.outcomes import find_sent, mark_uncertain, note_uploaded
from portal.documents.services.writes import check, documents, look_up
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.documents import Uploads
from portal.platform_api.errors import Unavailable, UnexpectedAnswer
from portal.platform_api.models.documents import Upload as RemoteUpload
from portal.platform_api.paging import Collected, collect
from portal.platform_writes.outcomes import OutcomeUnknown, write_and_verify
from portal.tenants.models import Membership


@dataclass(frozen=True, kw_only=True)
class NewFile:
    """A file that somebody hands in, and what the platform is told of it."""

    content: BinaryIO
    name: str
    effective_on: date | None = None
    description: str = ""

    @property
    def effective_at(self) -> datetime | None:
        return datetime.combine(self.effective_on, time(), UTC) if self.effective_on else None


def upload_file(document: Document, file: NewFile, *, member: Membership) -> None:
    """Upload a file to a document.

    Raises PermissionDenied, UploadUnderWay, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    uploads = documents().uploads
    attempt = _begin(document, file, look_up(document, lambda: _listed(uploads, document)), member)
    try:
        sent = look_up(document, lambda: _send(uploads, attempt, file))
    except Exception as error:
        if not _may_have_arrived(error):
            attempt.delete()
            raise
        mark_uncertain(attempt)
        raise OutcomeUnknown from error
    with transaction.atomic():
        keep_child(Upload, document, sent, upload_columns)
        note_uploaded(document, attempt, sent)
        touch_areas(AREA)


def _listed(uploads: Uploads, document: Document) -> Collected[RemoteUpload]:
    return collect(lambda cursor: uploads.all.page(cursor, document.platform_id))


def _begin(document: Document, file: NewFile, before: Collected[RemoteUpload], member: Membership) -> UploadAttempt:
    """Write down that a file is being sent, before it is. Raises UploadUnderWay while another one is not settled."""
    known = [*(each.id for each in before.items), *(each.id for each in before.unread if each.id)]
    try:
        with transaction.atomic():
            UploadAttempt.objects.filter(document=document, state=UploadState.ABSENT).delete()
            return UploadAttempt.objects.create(document=document, file_name=file.name, known_ids=known, begun_by=member.user)
    except IntegrityError:
        raise UploadUnderWay from None


def _send(uploads: Uploads, attempt: UploadAttempt, file: NewFile) -> RemoteUpload:
    """Send a file once, and return it as the platform has it. Raises what `write_and_verify` raises."""
    document, made = attempt.document, list[RemoteUpload]()

    def write() -> None:
        sent = uploads.create(
            document.platform_id,
            file.content,
            filename=file.name,
            effective_at_date=file.effective_at,
            description=file.description or None,
        )
        made.append(sent)

    def fetch() -> RemoteUpload | None:
        return find_sent(attempt, _listed(uploads, document).items)

    try:
        found = write_and_verify(write=write, fetch=fetch, is_done=bool)
    except OutcomeUnknown:
        if not made:
            raise
        # The platform has said which file it is: the list can be read later.
        found = None
    return found or made[0]


def _may_have_arrived(error: Exception) -> bool:
    return isinstance(error, OutcomeUnknown | UnexpectedAnswer) or (isinstance(error, Unavailable) and error.sent)


@transaction.atomic
def dismiss_upload(attempt: UploadAttempt, *, member: Membership) -> None:
    """Take note that a file did not arrive. Raises PermissionDenied."""
    check(member)
    UploadAttempt.objects.filter(pk=attempt.pk, state=UploadState.ABSENT).delete()
    touch_areas(AREA)
