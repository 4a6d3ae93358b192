"""Files of evidence, through the portal: the platform gives them to the connection, not to the person."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from django.db import transaction

from portal.connections.services import Urgency, client_for, fetch_signed_file
from portal.engagements.errors import NoFile
from portal.engagements.models import EngagementPart, EvidenceItem, InformationRequest
from portal.engagements.selectors import is_file
from portal.engagements.services.writes import about, check, ids_of, note
from portal.lib.fetched_files import safe_file_name
from portal.platform_api import Platform
from portal.sync.services.positions import find_listed
from portal.tenants.models import Membership


@dataclass(frozen=True)
class File:
    """A file that has arrived in full, and what to call it."""

    content: IO[bytes]
    name: str


def fetch_evidence_file(item: EvidenceItem, part: EngagementPart, *, member: Membership) -> File:
    """Fetch a file of an evidence item. Raises PermissionDenied, Gone, NoFile, NotConnected or a PlatformError."""

    def address(client: Platform) -> tuple[str, str]:
        found = find_listed(client.audits.evidence.urls(*ids_of(item)), part.platform_id)
        return (found.url if found.is_downloadable is not False else "", found.filename or "")

    return _fetch(item, address, part, member=member)


def fetch_request_file(row: InformationRequest, part: EngagementPart, *, member: Membership) -> File:
    """Fetch a file of an information request. Raises like `fetch_evidence_file`."""

    def address(client: Platform) -> tuple[str, str]:
        found = client.audits.information_requests.evidence.get(*ids_of(row), part.platform_id)
        return (found.url or "" if is_file(found) else "", found.name or "")

    return _fetch(row, address, part, member=member)


def _fetch(row: Any, address: Callable[[Platform], tuple[str, str]], part: EngagementPart, *, member: Membership) -> File:
    check(member)
    client, name = client_for(Urgency.PERSON), ""

    def sign() -> str:
        nonlocal name
        url, name = about(row, lambda: address(client))
        if not url:
            raise NoFile
        return url

    content = fetch_signed_file(client, sign)
    with transaction.atomic():
        note(row, "download", "Downloaded a file of", member=member, file=part.platform_id)
    return File(content, safe_file_name(name, str(row)))
