"""Every change that a person or an event can make at this desk."""

from portal.questionnaires.services.answering import AnswerConflict, ResponseGone, update_answer
from portal.questionnaires.services.approving_unchanged import approve_unchanged
from portal.questionnaires.services.asking import ask_for_responses
from portal.questionnaires.services.bulk import assign_questions, note_export, retry_bulk_run, start_bulk_run
from portal.questionnaires.services.changing import change_questionnaire, taking
from portal.questionnaires.services.deciding import NotAllowed, QuestionnaireGone, approve, change_status, complete
from portal.questionnaires.services.downloading import fetch_file
from portal.questionnaires.services.drafting import discard_draft, draft_of, keep_draft
from portal.questionnaires.services.experts import (
    Expert,
    LinkEnded,
    answer_by_link,
    ask_expert,
    note_opened,
    open_expert_link,
    put_aside,
    revoke_link,
    take_over,
)
from portal.questionnaires.services.exporting import request_export
from portal.questionnaires.services.nudging import nudge_expert, nudge_owner, owner_of
from portal.questionnaires.services.owners import ask_for_owners
from portal.questionnaires.services.rules import set_four_eyes
from portal.questionnaires.services.saving_views import delete_view, rename_view, save_view
from portal.questionnaires.services.settling import OutcomeUnknown
from portal.questionnaires.services.sharing import open_link, revoke_status, share_status
from portal.questionnaires.services.verdicts import ReviewConflict, decide, seen_of, undo
from portal.questionnaires.services.working import work_on

__all__ = [
    "AnswerConflict",
    "Expert",
    "LinkEnded",
    "NotAllowed",
    "OutcomeUnknown",
    "QuestionnaireGone",
    "ResponseGone",
    "ReviewConflict",
    "answer_by_link",
    "approve",
    "approve_unchanged",
    "ask_expert",
    "ask_for_owners",
    "ask_for_responses",
    "assign_questions",
    "change_questionnaire",
    "change_status",
    "complete",
    "decide",
    "delete_view",
    "discard_draft",
    "draft_of",
    "fetch_file",
    "keep_draft",
    "note_export",
    "note_opened",
    "nudge_expert",
    "nudge_owner",
    "open_expert_link",
    "open_link",
    "owner_of",
    "put_aside",
    "rename_view",
    "request_export",
    "retry_bulk_run",
    "revoke_link",
    "revoke_status",
    "save_view",
    "seen_of",
    "set_four_eyes",
    "share_status",
    "start_bulk_run",
    "take_over",
    "taking",
    "undo",
    "update_answer",
    "work_on",
]
