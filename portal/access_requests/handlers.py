"""What an event states is applied at once; the rest is fetched. An event is a hint: neither its order nor its time counts."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from portal.access_requests.models import AccessRequest, Outcome
from portal.access_requests.services.looking import REQUEST, VIEWER
from portal.access_requests.services.settling import AREA
from portal.live.services import changed
from portal.platform_api.webhooks import AccessRequestApproved, AccessRequestChanged
from portal.sync.services import mark_stale


def sync_access_request(event: AccessRequestChanged) -> None:
    """Received or denied, which look alike: the fetch will tell."""
    mark_stale(REQUEST, event.access_request_id)


def sync_approval(event: AccessRequestApproved) -> None:
    """Show the approval at once, as provisional, and fetch the request and the viewer that came of it."""
    rows = AccessRequest.objects.present().filter(platform_id=event.access_request_id)
    pending = rows.pending().update(
        outcome=Outcome.APPROVED, is_provisional=True, viewer_id=event.viewer_id[:200], touched_at=timezone.now()
    )
    if pending or rows.filter(viewer_id="").update(viewer_id=event.viewer_id[:200], touched_at=timezone.now()):
        changed(AREA)
    mark_stale(REQUEST, event.access_request_id)
    mark_stale(VIEWER, event.viewer_id)


ROUTES: dict[type, Callable[[Any], None]] = {
    AccessRequestChanged: sync_access_request,
    AccessRequestApproved: sync_approval,
}
