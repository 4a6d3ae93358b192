"""What happened to one request, for its history."""

from typing import Any

from portal.access_requests.models import AccessRequest
from portal.audit.services import history
from portal.comments import activity as comments

ICONS = {
    **comments.ICONS,
    "access_request.approve": ("check", "good"),
    "access_request.deny": ("x", "bad"),
    "access_request.too_late": ("clock-alert", "warn"),
    "access_request.not_made": ("circle-alert", "bad"),
    "access_request.undo": ("undo-2", "muted"),
    "access_request.ask_second": ("users", "info"),
    "access_request.second": ("user-check", "good"),
    "access_request.reject": ("x", "warn"),
}


def events_of(request: AccessRequest) -> list[dict[str, Any]]:
    """What happened to a request, newest first."""
    events = []
    for entry in history("access_request", request.platform_id):
        icon, tone = ICONS.get(entry.action, ("globe", "info"))
        events.append({"title": f"{entry.who}: {entry.summary}", "text": "", "at": entry.at, "icon": icon, "tone": tone})
    events.append({"title": "Requested access", "text": "", "at": request.created_at, "icon": "key-round", "tone": "muted"})
    return events
