"""Whether what is known of a request is fresh enough for a rule to act on. A person may decide on less; a rule never does."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from portal.access_requests.kinds import CONTRACT, REQUEST, VIEWER
from portal.access_requests.models import AccessRequest, Viewer
from portal.accounts.services import ACCOUNT
from portal.connections.services import connection_of_tenant
from portal.sync.models import Run, StaleMark
from portal.trust_center.kinds import RESOURCE

NEVER_OLDER = timedelta(hours=3)
"""Since the last comparison with the platform's whole lists, which is made every hour: two turns may fail."""
NAMES = {
    ACCOUNT: "customers",
    CONTRACT: "contracts",
    REQUEST: "access requests",
    VIEWER: "viewers",
    RESOURCE: "documents",
}
NEEDED = (ACCOUNT, REQUEST, VIEWER, RESOURCE)


def staleness_of_tenant(now: datetime, *, with_contracts: bool) -> str:
    """Say why no rule of the tenant in scope may act now; nothing when all of its copies are fresh."""
    connection = connection_of_tenant()
    if connection is None or not connection.is_active:
        return "The platform is not connected."
    finished = dict(Run.objects.values_list("kind", "finished_at"))
    for kind in (*NEEDED, CONTRACT) if with_contracts else NEEDED:
        at = finished.get(kind)
        if at is None:
            return f"The {NAMES[kind]} haven't been fully fetched yet."
        if at < now - NEVER_OLDER:
            return f"The {NAMES[kind]} were last synced more than {NEVER_OLDER.seconds // 3600} hours ago."
    return ""


def staleness_of(request: AccessRequest, *, account_id: str) -> str:
    """Say what about this request has yet to be fetched again; nothing when it is all fresh."""
    if request.is_provisional:
        return "We're reading the request back from the platform."
    viewers = Viewer.objects.of_person(request.email).values_list("platform_id", flat=True)
    named = {
        REQUEST: {request.platform_id},
        VIEWER: {*viewers, request.viewer_id} - {""},
        RESOURCE: set(request.requested_resources or ()),
        ACCOUNT: {account_id} - {""},
    }
    for kind, ids in named.items():
        if _is_marked(kind, ids):
            return f"We haven't fetched the latest changes to related {NAMES[kind]} yet."
    # A document or an account that is new or changed may be one that the request is about: nobody knows before it is here.
    return ""


def _is_marked(kind: str, ids: Iterable[str]) -> bool:
    return StaleMark.objects.waiting().filter(kind=kind, object_id__in=set(ids)).exists()
