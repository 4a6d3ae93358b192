"""Every change at the access desk: deciding, storing what the platform says, erasing a person."""

from portal.access_requests.services.bulk import decide_many, retry_batch
from portal.access_requests.services.configuring import set_desk_settings
from portal.access_requests.services.erasing import register_personal_data
from portal.access_requests.services.failures import BeingDecided, DecidedElsewhere, RequestGone, SamePerson, TooLate
from portal.access_requests.services.holding import RuleMark, hold, put_notices_away, undo, undo_all
from portal.access_requests.services.looking import look_again
from portal.access_requests.services.noting import note_export
from portal.access_requests.services.seconding import confirm, turn_down
from portal.access_requests.services.terms import Terms
from portal.access_requests.services.viewer_changing import NotPossible
from portal.access_requests.services.viewer_keeping import keep_viewers, note_viewer_export
from portal.access_requests.services.viewer_working import retry_viewer_run, start_viewer_run, work_on_viewers

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
    "hold",
    "keep_viewers",
    "look_again",
    "note_export",
    "note_viewer_export",
    "put_notices_away",
    "register_personal_data",
    "retry_batch",
    "retry_viewer_run",
    "set_desk_settings",
    "start_viewer_run",
    "turn_down",
    "undo",
    "undo_all",
    "work_on_viewers",
]
