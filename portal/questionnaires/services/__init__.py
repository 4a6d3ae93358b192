"""Every change that a person or an event can make at this desk."""

from portal.platform_writes.outcomes import OutcomeUnknown
from portal.questionnaires.services.answers import AnswerConflict, ResponseGone, update_answer
from portal.questionnaires.services.bulk import (
    assign_questions,
    note_export,
    retry_bulk_run,
    save_sure_drafts,
    start_bulk_run,
)
from portal.questionnaires.services.bulk_runs import work_on
from portal.questionnaires.services.changes import change_questionnaire, taking
from portal.questionnaires.services.clock_batches import recalculate_all_clocks, tenants_with_stale_clocks
from portal.questionnaires.services.decisions import NotAllowed, QuestionnaireGone, approve, change_status, complete
from portal.questionnaires.services.downloads import fetch_file
from portal.questionnaires.services.drafted_answers import dismiss_draft, offered_draft
from portal.questionnaires.services.drafting_runs import (
    due_drafting_runs,
    end_drafting,
    preview,
    questions_to_draft,
    start_drafting,
    stop_drafting,
    work_on_drafts,
)
from portal.questionnaires.services.drafts import discard_draft, draft_of, keep_draft
from portal.questionnaires.services.drift_resolution import decide_correction, dismiss_drift, reopen_drift, resolve_drift
from portal.questionnaires.services.expert_answers import (
    LinkEnded,
    TooManyAnswers,
    TooManyFiles,
    answer_by_link,
    has_room,
    note_opened,
    open_asking,
    open_expert_link,
)
from portal.questionnaires.services.experts import Expert, ask_expert, put_aside, revoke_link, revoke_unanswered, take_over
from portal.questionnaires.services.exports import request_export
from portal.questionnaires.services.intake import NewQuestionnaire, begin_intake, discard_intake, send_all_the_same
from portal.questionnaires.services.labels import ask_for_labels
from portal.questionnaires.services.nudges import nudge_expert, nudge_owner
from portal.questionnaires.services.owners import ask_for_owners, member_named
from portal.questionnaires.services.previously_approved import approve_unchanged
from portal.questionnaires.services.priorities import set_priority
from portal.questionnaires.services.reminders import remind_all
from portal.questionnaires.services.rules import set_four_eyes
from portal.questionnaires.services.saved_answers import Inserted, note_save
from portal.questionnaires.services.shares import open_link, revoke_status, share_status
from portal.questionnaires.services.stale_requests import ask_for_responses
from portal.questionnaires.services.sure_drafts import sure_drafts
from portal.questionnaires.services.targets import (
    Condition,
    add_target,
    are_clocks_stale,
    change_target,
    delete_target,
    mark_clocks_stale,
    set_warning,
)
from portal.questionnaires.services.verdicts import ReviewConflict, decide, seen_of, undo

__all__ = [
    "AnswerConflict",
    "Condition",
    "Expert",
    "Inserted",
    "LinkEnded",
    "NewQuestionnaire",
    "NotAllowed",
    "OutcomeUnknown",
    "QuestionnaireGone",
    "ResponseGone",
    "ReviewConflict",
    "TooManyAnswers",
    "TooManyFiles",
    "add_target",
    "answer_by_link",
    "approve",
    "approve_unchanged",
    "are_clocks_stale",
    "ask_expert",
    "ask_for_labels",
    "ask_for_owners",
    "ask_for_responses",
    "assign_questions",
    "begin_intake",
    "change_questionnaire",
    "change_status",
    "change_target",
    "complete",
    "decide",
    "decide_correction",
    "delete_target",
    "discard_draft",
    "discard_intake",
    "dismiss_draft",
    "dismiss_drift",
    "draft_of",
    "due_drafting_runs",
    "end_drafting",
    "fetch_file",
    "has_room",
    "keep_draft",
    "mark_clocks_stale",
    "member_named",
    "note_export",
    "note_opened",
    "note_save",
    "nudge_expert",
    "nudge_owner",
    "offered_draft",
    "open_asking",
    "open_expert_link",
    "open_link",
    "preview",
    "put_aside",
    "questions_to_draft",
    "recalculate_all_clocks",
    "remind_all",
    "reopen_drift",
    "request_export",
    "resolve_drift",
    "retry_bulk_run",
    "revoke_link",
    "revoke_status",
    "revoke_unanswered",
    "save_sure_drafts",
    "seen_of",
    "send_all_the_same",
    "set_four_eyes",
    "set_priority",
    "set_warning",
    "share_status",
    "start_bulk_run",
    "start_drafting",
    "stop_drafting",
    "sure_drafts",
    "take_over",
    "taking",
    "tenants_with_stale_clocks",
    "undo",
    "update_answer",
    "work_on",
    "work_on_drafts",
]
