"""The file of a document, through the portal: the platform gives it to the connection, not to the person."""

from dataclasses import dataclass
from typing import IO

from django.db import transaction

from portal.audit.services import record
from portal.documents.errors import Gone
from portal.documents.kinds import DOCUMENT
from portal.documents.models import Document, Upload
from portal.documents.services.writes import check, documents, read_again
from portal.lib.fetched_files import TooSlow, safe_file_name, spooled
from portal.platform_api import errors
from portal.tenants.models import Membership, Role


@dataclass(frozen=True)
class File:
    """A file that has arrived in full, and what to call it."""

    content: IO[bytes]
    name: str


def role_to_download(document: Document) -> Role:
    """Say who may download files of a document: what the platform calls sensitive is for those who work with it."""
    return Role.ANALYST if document.is_sensitive else Role.VIEWER


def fetch_file(upload: Upload, *, member: Membership) -> File:
    """Fetch a file of a document. Raises PermissionDenied, Gone, NotConnected or a PlatformError."""
    document = upload.document
    check(member, role_to_download(document))
    try:
        with documents().uploads.media(document.platform_id, upload.platform_id) as download:
            content = spooled(download.chunks)
    except TooSlow as error:
        raise errors.Unavailable("GET", "(media)", message="the file did not arrive in time") from error
    except errors.NotFound as error:
        read_again(document)
        raise Gone from error
    with transaction.atomic():
        summary = f"Downloaded “{str(upload)[:120]}” of the document “{str(document)[:120]}”."
        target = (DOCUMENT, document.platform_id)
        record("document.download", target=target, summary=summary, actor=member.user, details={"id": upload.platform_id})
    return File(content, safe_file_name(upload.file_name, upload.title or document.title))
