"""How access requests and viewers are fetched, stored and found gone. Both belong to the Trust Center."""

from django.db import transaction
from django.utils import timezone

from portal.access_requests.kinds import REQUEST, VIEWER
from portal.access_requests.models import AccessRequest, Viewer
from portal.access_requests.services.outcomes import AREA, record_gone
from portal.access_requests.services.store import remove_viewer, store_access_request, store_viewer
from portal.access_requests.services.verification import FetchedRequest, check_before_retry
from portal.connections.services import trust_center
from portal.platform_api import Page, Platform
from portal.platform_api import models as remote
from portal.platform_api.errors import NotFound
from portal.sync.mirrors import Mirror, names_of_rows

OPEN, DECIDED = "open", "decided"
"""The two lists that make up all requests; a cursor names the one it belongs to."""


def fetch_access_request(client: Platform, access_request_id: str) -> FetchedRequest:
    return check_before_retry(trust_center(client), access_request_id)


def page_of_access_requests(client: Platform, cursor: str | None) -> Page[FetchedRequest]:
    """Walk the open requests, then the decided ones. One that is decided meanwhile is met twice, last as decided."""
    center = trust_center(client)
    which, _, inner = (cursor or f"{OPEN}:").partition(":")
    is_open = which == OPEN
    source = center.access_requests.all if is_open else center.historical_access_requests.all
    page = source.page(inner or None)
    if page.next_cursor:
        next_cursor: str | None = f"{which}:{page.next_cursor}"
    else:
        next_cursor = f"{DECIDED}:" if is_open else None
    return Page([FetchedRequest(found, is_open) for found in page.items], next_cursor, page.unread)


def has_access_request(access_request_id: str) -> bool:
    return AccessRequest.objects.filter(platform_id=access_request_id).exists()


def mark_access_request_gone(access_request_id: str) -> bool:
    now = timezone.now()
    row = AccessRequest.objects.present().filter(platform_id=access_request_id).first()
    if row is None:
        return False
    with transaction.atomic():
        AccessRequest.objects.filter(pk=row.pk).update(gone_at=now, touched_at=now)
        record_gone(row)
    return True


def known_access_requests() -> set[str]:
    return set(AccessRequest.objects.present().values_list("platform_id", flat=True))


def fetch_viewer(client: Platform, viewer_id: str) -> remote.Viewer:
    """Get a viewer. A removed one still answers (platform-api 4.5.3): whoever is gone here comes back by the list alone."""
    center = trust_center(client)
    found = center.viewers.get(viewer_id)
    is_gone = Viewer.objects.filter(platform_id=viewer_id).exclude(gone_at=None).exists()
    if is_gone and all(each.id != viewer_id for each in center.viewers.all(include_removed=False)):
        raise NotFound("GET", "/trust-centers/{}/viewers", message="the list does not name it")
    return found


def page_of_viewers(client: Platform, cursor: str | None) -> Page[remote.Viewer]:
    # Removed viewers are listed unless one asks not to, and nothing in them says that they were removed (platform-api 4.5.3).
    return trust_center(client).viewers.all.page(cursor, include_removed=False)


def has_viewer(viewer_id: str) -> bool:
    return Viewer.objects.filter(platform_id=viewer_id).exists()


def mark_viewer_gone(viewer_id: str) -> bool:
    return remove_viewer(viewer_id)


def known_viewers() -> set[str]:
    return set(Viewer.objects.present().values_list("platform_id", flat=True))


MIRRORS = (
    Mirror(
        kind=REQUEST,
        names=names_of_rows(AccessRequest),
        title="Access requests",
        area=AREA,
        fetch=fetch_access_request,
        save=store_access_request,
        mark_gone=mark_access_request_gone,
        has=has_access_request,
        page=page_of_access_requests,
        identify=lambda fetched: fetched.remote.id,
        known=known_access_requests,
        # Decided ones are in a list alone.
        has_no_get=True,
    ),
    Mirror(
        kind=VIEWER,
        names=names_of_rows(Viewer),
        title="Viewers",
        area=AREA,
        fetch=fetch_viewer,
        save=store_viewer,
        mark_gone=mark_viewer_gone,
        has=has_viewer,
        page=page_of_viewers,
        known=known_viewers,
        answers_for_removed=True,
    ),
)
