"""Every change at the access desk: deciding, storing what the platform says, erasing a person."""

from portal.access_requests.services.bulk import decide_many, retry_batch, to_retry
from portal.access_requests.services.desk_settings import set_desk_settings
from portal.access_requests.services.erasure import register_personal_data
from portal.access_requests.services.export_audit import record_export
from portal.access_requests.services.failures import BeingDecided, DecidedElsewhere, RequestGone, SamePerson, TooLate
from portal.access_requests.services.scheduling import RuleMark, dismiss_notices, schedule_decision, undo, undo_all
from portal.access_requests.services.second_approval import confirm, reject
from portal.access_requests.services.terms import Terms
from portal.access_requests.services.verification import refresh_request
from portal.access_requests.services.viewer_changes import NotPossible
from portal.access_requests.services.viewer_reviews import keep_viewers, note_viewer_export
from portal.access_requests.services.viewer_runs import retry_viewer_run, start_viewer_run, work_on_viewers

__all__ = [
    "BeingDecided",
    "DecidedElsewhere",
    "NotPossible",
    "RequestGone",
    "RuleMark",
    "SamePerson",
    "Terms",
    "TooLate",
    "confirm",
    "decide_many",
    "dismiss_notices",
    "keep_viewers",
    "note_viewer_export",
    "record_export",
    "refresh_request",
    "register_personal_data",
    "reject",
    "retry_batch",
    "retry_viewer_run",
    "schedule_decision",
    "set_desk_settings",
    "start_viewer_run",
    "to_retry",
    "undo",
    "undo_all",
    "work_on_viewers",
]
