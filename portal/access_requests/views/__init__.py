"""The pages of the desk."""

from portal.access_requests.views.bulk import batch, bulk, retry_batch, undo_batch
from portal.access_requests.views.decisions import approve, deny
from portal.access_requests.views.exports import export
from portal.access_requests.views.pending_decisions import confirm, dismiss, reject, undo, undo_mine
from portal.access_requests.views.requests import access_request, access_request_list
from portal.access_requests.views.settings import desk_settings, set_desk_settings
from portal.access_requests.views.viewer_calendar import viewer_calendar
from portal.access_requests.views.viewer_export import export_review, export_viewers
from portal.access_requests.views.viewer_review import start_review, viewer_review
from portal.access_requests.views.viewer_runs import retry_viewers, start_viewers, viewer_run
from portal.access_requests.views.viewer_sees import viewer_sees
from portal.access_requests.views.viewers import viewer, viewer_list

__all__ = [
    "access_request",
    "access_request_list",
    "approve",
    "batch",
    "bulk",
    "confirm",
    "deny",
    "desk_settings",
    "dismiss",
    "export",
    "export_review",
    "export_viewers",
    "reject",
    "retry_batch",
    "retry_viewers",
    "set_desk_settings",
    "start_review",
    "start_viewers",
    "undo",
    "undo_batch",
    "undo_mine",
    "viewer",
    "viewer_calendar",
    "viewer_list",
    "viewer_review",
    "viewer_run",
    "viewer_sees",
]
