"""Every change at the desk: taking files in, sending and reading them, own fields, reminders, deleting, storing the copy."""

from portal.contracts.services.export_audit import record_export
from portal.contracts.services.imports import apply_rows
from portal.contracts.services.intake import (
    AlreadyOnItsWay,
    AlreadyThere,
    NewUpload,
    Outcome,
    Result,
    accept_upload,
    accept_uploads,
)
from portal.contracts.services.reminders import remind_all
from portal.contracts.services.removals import remove_contract, run_removal, wake_removals
from portal.contracts.services.terms import Overtaken, change_terms, recalculate_renewed, settle_notice, terms_of
from portal.contracts.services.text_extraction import hand_in_for_reading, remove_text, run_reading
from portal.contracts.services.undecided import free_id, keep_as_text, send_under
from portal.contracts.services.upload_actions import (
    NotPossible,
    delete_leftover_files,
    discard,
    discard_waiting,
    send_again,
    wake_uploads,
)
from portal.contracts.services.uploads import run_upload

__all__ = [
    "AlreadyOnItsWay",
    "AlreadyThere",
    "NewUpload",
    "NotPossible",
    "Outcome",
    "Overtaken",
    "Result",
    "accept_upload",
    "accept_uploads",
    "apply_rows",
    "change_terms",
    "delete_leftover_files",
    "discard",
    "discard_waiting",
    "free_id",
    "hand_in_for_reading",
    "keep_as_text",
    "recalculate_renewed",
    "record_export",
    "remind_all",
    "remove_contract",
    "remove_text",
    "run_reading",
    "run_removal",
    "run_upload",
    "send_again",
    "send_under",
    "settle_notice",
    "terms_of",
    "wake_removals",
    "wake_uploads",
]
