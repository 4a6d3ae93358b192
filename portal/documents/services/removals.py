"""Deleting files of a document, and removing its links. There is no call for one of either: their list tells."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.documents.kinds import AREA, DOCUMENT, EVIDENCE
from portal.documents.models import Document, Link, Upload
from portal.documents.services.writes import REMOVER, check, documents, read_again
from portal.page_refresh.services import touch_areas
from portal.platform_writes.outcomes import OutcomeUnknown, delete_and_verify
from portal.sync.services.positions import find_listed
from portal.tenants.models import Membership


def delete_file(upload: Upload, *, member: Membership) -> None:
    """Delete a file on the platform. Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member, REMOVER)
    uploads, document = documents().uploads, upload.document
    _delete(
        document,
        delete=lambda: uploads.delete(document.platform_id, upload.platform_id),
        # A deleted file stays in the list, with the day of its deletion (specification 2.3).
        fetch=lambda: find_listed(
            (each for each in uploads.all(document.platform_id) if each.deletion_date is None), upload.platform_id
        ),
        is_known_gone=lambda: not Upload.objects.present().filter(pk=upload.pk).exists(),
    )
    with transaction.atomic():
        read_again(document)
        now = timezone.now()
        if Upload.objects.present().filter(pk=upload.pk).update(deleted_at=now, read_at=now):
            _note(document, "delete_file", f"Deleted the file “{str(upload)[:120]}” of", upload.platform_id, member)


def remove_link(link: Link, *, member: Membership) -> None:
    """Remove a link on the platform. Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member, REMOVER)
    links, document = documents().links, link.document
    _delete(
        document,
        delete=lambda: links.delete(document.platform_id, link.platform_id),
        fetch=lambda: find_listed(links.all(document.platform_id), link.platform_id),
        is_known_gone=lambda: not Link.objects.filter(pk=link.pk).exists(),
    )
    with transaction.atomic():
        read_again(document)
        number, _ = Link.objects.filter(pk=link.pk).delete()
        if number:
            _note(document, "remove_link", f"Removed the link “{str(link)[:120]}” from", link.platform_id, member)


def _delete(document: Document, **how: Any) -> None:
    """Delete one thing. Raises what `delete_and_verify` raises."""
    try:
        delete_and_verify(**how, of=(EVIDENCE, [document.platform_id]))
    except OutcomeUnknown:
        read_again(document)
        raise


def _note(document: Document, verb: str, said: str, platform_id: str, member: Membership) -> None:
    summary = f"{said} the document “{str(document)[:120]}”."
    target = (DOCUMENT, document.platform_id)
    record(f"document.{verb}", target=target, summary=summary, actor=member.user, details={"id": platform_id})
    touch_areas(AREA)
