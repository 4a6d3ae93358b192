"""What an event states is applied at once; the rest is fetched. An event is a hint: neither its order nor its time counts."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils import timezone

from portal.access_requests.kinds import REQUEST, VIEWER
from portal.access_requests.models import AccessRequest, Outcome
from portal.access_requests.services.outcomes import AREA
from portal.platform_api.webhooks import AccessRequestApproved, AccessRequestChanged
from portal.sync.copies import locked_in_order
from portal.sync.services import Effects


def sync_access_requests(events: Sequence[AccessRequestChanged], effects: Effects) -> None:
    """Received or denied, which look alike: the fetch will tell."""
    effects.fetch(REQUEST, [event.access_request_id for event in events])


def sync_approvals(events: Sequence[AccessRequestApproved], effects: Effects) -> None:
    """Show the approvals at once, and fetch the requests and the viewers that came of them."""
    viewers = {event.access_request_id: event.viewer_id for event in events}
    effects.show(AREA, partial(show_approvals, viewers))
    effects.fetch(REQUEST, viewers)
    effects.fetch(VIEWER, [event.viewer_id for event in events])


def show_approvals(viewers: Mapping[str, str]) -> bool:
    """Show requests as approved, provisionally; the fetch confirms it."""
    rows = AccessRequest.objects.present().filter(platform_id__in=viewers)
    shown = False
    # One by one: approvals are rare. Locked in one order, so that two batches with the same requests wait for each other; a
    # page of the list too.
    for row in locked_in_order(rows):
        if row.outcome == Outcome.PENDING:
            values: dict[str, Any] = {"outcome": Outcome.APPROVED, "is_provisional": True}
        elif not row.viewer_id:
            values = {}
        else:
            continue
        values |= {"viewer_id": viewers[row.platform_id], "touched_at": timezone.now()}
        shown = bool(AccessRequest.objects.filter(pk=row.pk).update(**values)) or shown
    return shown


ROUTES: dict[type, Callable[[Sequence[Any], Effects], None]] = {
    AccessRequestChanged: sync_access_requests,
    AccessRequestApproved: sync_approvals,
}
