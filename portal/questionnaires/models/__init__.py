"""The mirror rows of this desk, what people hand in, the bulk runs, drifting answers, and the views that people saved."""

from portal.questionnaires.models.bulk import BulkItem, BulkRun
from portal.questionnaires.models.clock import ClockSettings, StatusSeen, Target, TargetKind
from portal.questionnaires.models.correction import Correction, CorrectionState
from portal.questionnaires.models.draft import Draft
from portal.questionnaires.models.drafted import (
    DEFAULT_LEAST,
    DRAFTED_FOR,
    DraftedAnswer,
    DraftingRun,
    DraftReason,
    DraftState,
)
from portal.questionnaires.models.drift import BEGINNING, Drift, DriftProgress
from portal.questionnaires.models.expert_files import ExpertFile
from portal.questionnaires.models.experts import A_DAY, Assignment, ExpertLink
from portal.questionnaires.models.export import Export, ExportQuerySet, ExportState
from portal.questionnaires.models.feed import CalendarFeed
from portal.questionnaires.models.intake import SHOWN_FOR, Intake, IntakeQuerySet, IntakeState
from portal.questionnaires.models.labels import ACCOUNT, TAG, Label
from portal.questionnaires.models.link import StatusLink
from portal.questionnaires.models.people import READ_EVERY, AssignableUser
from portal.questionnaires.models.questionnaire import (
    KINDS,
    NO_DUE_DATE,
    PAUSED_CLOCK,
    Priority,
    Questionnaire,
    QuestionnaireQuerySet,
)
from portal.questionnaires.models.response import APPROVED_THERE, LISTS, Asked, Response, ResponseQuerySet
from portal.questionnaires.models.review import MAX_REASON_LENGTH, Review, ReviewQuerySet
from portal.questionnaires.models.rules import DeskRules
from portal.questionnaires.models.saved import OF_DRAFTS, AnswerOrigin, LastSave, SavedAnswer
from portal.questionnaires.models.standing import REVIEW_LISTS, Standing, Verdict
from portal.questionnaires.models.tags import QuestionnaireTag

__all__ = [
    "ACCOUNT",
    "APPROVED_THERE",
    "A_DAY",
    "BEGINNING",
    "DEFAULT_LEAST",
    "DRAFTED_FOR",
    "KINDS",
    "LISTS",
    "MAX_REASON_LENGTH",
    "NO_DUE_DATE",
    "OF_DRAFTS",
    "PAUSED_CLOCK",
    "READ_EVERY",
    "REVIEW_LISTS",
    "SHOWN_FOR",
    "TAG",
    "AnswerOrigin",
    "Asked",
    "AssignableUser",
    "Assignment",
    "BulkItem",
    "BulkRun",
    "CalendarFeed",
    "ClockSettings",
    "Correction",
    "CorrectionState",
    "DeskRules",
    "Draft",
    "DraftReason",
    "DraftState",
    "DraftedAnswer",
    "DraftingRun",
    "Drift",
    "DriftProgress",
    "ExpertFile",
    "ExpertLink",
    "Export",
    "ExportQuerySet",
    "ExportState",
    "Intake",
    "IntakeQuerySet",
    "IntakeState",
    "Label",
    "LastSave",
    "Priority",
    "Questionnaire",
    "QuestionnaireQuerySet",
    "QuestionnaireTag",
    "Response",
    "ResponseQuerySet",
    "Review",
    "ReviewQuerySet",
    "SavedAnswer",
    "Standing",
    "StatusLink",
    "StatusSeen",
    "Target",
    "TargetKind",
    "Verdict",
]
