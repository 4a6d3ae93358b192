"""What the writes of this desk have in common (guarantee W1)."""

from collections.abc import Callable

from django.core.exceptions import PermissionDenied

from portal.connections.services import Urgency, client_for
from portal.documents.errors import Gone
from portal.documents.kinds import DETAILS, EVIDENCE
from portal.documents.models import Document
from portal.platform_api.areas.documents import Documents
from portal.platform_api.errors import NotFound
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership, Role

REMOVER = Role.APPROVER
"""Who deletes files and removes links: what proves something to an auditor is gone with them."""


def check(member: Membership, role: Role = Role.ANALYST) -> None:
    if not member.may(role):
        raise PermissionDenied


def documents() -> Documents:
    """Return the platform's calls about documents, for a person who waits. Raises NotConnected."""
    return client_for(Urgency.PERSON).documents


def read_again(document: Document) -> None:
    """Have a document fetched now, with all that belongs to it: files and links change how it stands."""
    fetch_now((EVIDENCE, document.platform_id), (DETAILS, document.platform_id))


def look_up[T](document: Document, call: Callable[[], T]) -> T:
    """Make a call about one document. Raises Gone where the platform has none, and has that looked at."""
    try:
        return call()
    except NotFound as error:
        read_again(document)
        raise Gone from error
