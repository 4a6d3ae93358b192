"""The file of an export, through the portal: its address is a permission by itself and leaves it for nobody.

The file is fetched whole before the first byte of it goes on: one that broke off never looks like a whole one, whatever server
stands in front, and the person reads why instead.
"""

from dataclasses import dataclass
from functools import partial
from typing import IO

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.error_messages import error_message
from portal.connections.services import Urgency, client_for, fetch_signed_file
from portal.lib.fetched_files import harmless_name
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform, errors
from portal.platform_api import models as remote
from portal.questionnaires.models import Export, ExportState
from portal.questionnaires.models.export import CSV
from portal.questionnaires.services.decisions import NotAllowed
from portal.questionnaires.services.export_outcomes import EXPORTS, MISSING_AT_DOWNLOAD, doubt, take, target_of
from portal.tenants.models import Membership, Role

MAX_FILE_BYTES = 100 * 1024 * 1024
EXPIRED = "This file has expired on the platform. Request a new export."
SUFFIXES = {"SPREADSHEET": "xlsx", "DOCUMENT": "docx", "WEBSITE": "csv"}


@dataclass(frozen=True)
class File:
    """A file that has arrived in full, and what to call it."""

    content: IO[bytes]
    name: str


def fetch_file(export: Export, *, member: Membership) -> File:
    """Fetch the file of an export that is ready. Raises NotAllowed, NotConnected or a PlatformError."""
    if not member.may(Role.VIEWER):
        raise PermissionDenied
    if not export.is_ready:
        raise NotAllowed("This export has no file to download.")
    client = client_for(Urgency.PERSON)
    content = _content(client, export)
    file = File(content, file_name(export, head=content.read(5)))
    content.seek(0)
    summary = f"Downloaded an export of {str(export.questionnaire)[:150]} ({export})."
    details = {"export": export.platform_id, "format": export.format}
    with transaction.atomic():
        record("questionnaire.export_download", target=target_of(export), summary=summary, actor=member.user, details=details)
    return file


def _content(client: Platform, export: Export) -> IO[bytes]:
    # Each time it is asked for, the export names a fresh address; should that be stale too, there is none (platform-api 7.7).
    try:
        return fetch_signed_file(client, partial(_address, client, export), limit=MAX_FILE_BYTES)
    except errors.LinkExpired:
        raise _expired(export) from None
    except (errors.StorageRefused, errors.UnusableFile) as error:
        raise NotAllowed(f"The file cannot be fetched. {error_message(error)}") from None


def _address(client: Platform, export: Export) -> str:
    asked_at = timezone.now()
    try:
        current: remote.Export = client.questionnaires.exports.get(export.platform_id)
    except errors.NotFound:
        doubt(export)
        raise NotAllowed(MISSING_AT_DOWNLOAD) from None
    take(export, current, asked_at=asked_at)
    if current.status != "completed":
        raise NotAllowed("The platform says that this export has no file yet.")
    if not current.download_url:
        raise _expired(export)
    return current.download_url


@transaction.atomic
def _expired(export: Export) -> NotAllowed:
    """Show that a new export is needed, and give the words for it."""
    if Export.objects.filter(pk=export.pk).update(state=ExportState.EXPIRED, is_confirmed=True, due_at=None):
        touch_areas(EXPORTS)
    return NotAllowed(EXPIRED)


def file_name(export: Export, *, head: bytes = b"") -> str:
    """Name the file after its questionnaire, with nothing in it that a file system or a reader could be fooled by."""
    name = harmless_name(str(export.questionnaire)) or "questionnaire"
    return f"{name} - answers.{suffix_of(export, head=head)}"


def suffix_of(export: Export, *, head: bytes) -> str:
    """Say which kind of file it is, by its format; an original document may also be a PDF."""
    if export.format == CSV:
        return "csv"
    return "pdf" if head == b"%PDF-" else SUFFIXES.get(export.questionnaire.kind, "bin")
