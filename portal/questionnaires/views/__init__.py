"""The pages of the desk."""

from portal.questionnaires.views.answers import draft, keep_in_library, memory, response
from portal.questionnaires.views.bulk import bulk_run, retry_bulk, start_bulk
from portal.questionnaires.views.clocks import (
    add_target,
    change_target,
    clocks,
    delete_target,
    set_priority,
    set_warning,
    targets,
)
from portal.questionnaires.views.drafted_answers import dismiss_draft, draft_all, drafting_run, stop_drafting
from portal.questionnaires.views.drift import correct, drift, drift_question, resolve_drift
from portal.questionnaires.views.expert_requests import ask, expert_file, expert_link, nudge
from portal.questionnaires.views.experts import expert, expert_list
from portal.questionnaires.views.exports import download_export, exports, request_export
from portal.questionnaires.views.feed import calendar_feed, own_feed
from portal.questionnaires.views.intake import discard_intake, intake, new, send_intake
from portal.questionnaires.views.list_export import export
from portal.questionnaires.views.pages import activity, details, numbers, questionnaire, questionnaire_list
from portal.questionnaires.views.previously_approved import approve_unchanged
from portal.questionnaires.views.reviews import review, review_card, undo_review
from portal.questionnaires.views.rules import rules
from portal.questionnaires.views.shares import status, status_link
from portal.questionnaires.views.steps import approve, assign, complete, name_approver, set_due, set_status, take
from portal.questionnaires.views.sure_drafts import save_drafts

__all__ = [
    "activity",
    "add_target",
    "approve",
    "approve_unchanged",
    "ask",
    "assign",
    "bulk_run",
    "calendar_feed",
    "change_target",
    "clocks",
    "complete",
    "correct",
    "delete_target",
    "details",
    "discard_intake",
    "dismiss_draft",
    "download_export",
    "draft",
    "draft_all",
    "drafting_run",
    "drift",
    "drift_question",
    "expert",
    "expert_file",
    "expert_link",
    "expert_list",
    "export",
    "exports",
    "intake",
    "keep_in_library",
    "memory",
    "name_approver",
    "new",
    "nudge",
    "numbers",
    "own_feed",
    "questionnaire",
    "questionnaire_list",
    "request_export",
    "resolve_drift",
    "response",
    "retry_bulk",
    "review",
    "review_card",
    "rules",
    "save_drafts",
    "send_intake",
    "set_due",
    "set_priority",
    "set_status",
    "set_warning",
    "start_bulk",
    "status",
    "status_link",
    "stop_drafting",
    "take",
    "targets",
    "undo_review",
]
