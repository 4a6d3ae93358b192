"""The file of a document, through the portal: the platform gives it to the connection, not to the person."""

from dataclasses import dataclass
from typing import IO

from django.db import transaction

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.lib.fetched_files import TooSlow, safe_file_name, spooled
from portal.platform_api import errors
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership, Role
from portal.trust_center.errors import Gone
from portal.trust_center.kinds import RESOURCE
from portal.trust_center.models import Resource
from portal.trust_center.services.writes import check


@dataclass(frozen=True)
class File:
    """A file that has arrived in full, and what to call it."""

    content: IO[bytes]
    name: str


def fetch_file(resource: Resource, *, member: Membership) -> File:
    """Fetch the file of a document. Raises PermissionDenied, Gone, NotConnected, NoTrustCenter or a PlatformError."""
    check(member, Role.VIEWER)
    resources = trust_center(client_for(Urgency.PERSON)).resources
    try:
        with resources.media(resource.platform_id) as download:
            content = spooled(download.chunks)
    except TooSlow as error:
        raise errors.Unavailable("GET", "(media)", message="the file did not arrive in time") from error
    except errors.NotFound as error:
        fetch_now((RESOURCE, resource.platform_id))
        raise Gone from error
    with transaction.atomic():
        summary = f"Downloaded the document “{str(resource)[:150]}”."
        record("resource.download", target=(RESOURCE, resource.platform_id), summary=summary, actor=member.user)
    return File(content, safe_file_name(resource.file_name, resource.title))
