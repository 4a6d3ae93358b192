"""The forms of the desk."""

from portal.questionnaires.forms.answers import AnswerForm, orphaned
from portal.questionnaires.forms.attachments import AttachmentForm
from portal.questionnaires.forms.clocks import PriorityForm, TargetForm, TargetHoursForm, WarningForm
from portal.questionnaires.forms.expert_requests import AssignQuestionsForm, ExpertForm
from portal.questionnaires.forms.intake import IntakeForm
from portal.questionnaires.forms.prefill import typed_again, typed_like
from portal.questionnaires.forms.review import RulesForm, VerdictForm
from portal.questionnaires.forms.steps import (
    CHANGE_FORMS,
    ApprovalForm,
    ApproverForm,
    AssignForm,
    ChangeForm,
    CompletionForm,
    DueForm,
    StatusForm,
    TakeForm,
)

__all__ = [
    "CHANGE_FORMS",
    "AnswerForm",
    "ApprovalForm",
    "ApproverForm",
    "AssignForm",
    "AssignQuestionsForm",
    "AttachmentForm",
    "ChangeForm",
    "CompletionForm",
    "DueForm",
    "ExpertForm",
    "IntakeForm",
    "PriorityForm",
    "RulesForm",
    "StatusForm",
    "TakeForm",
    "TargetForm",
    "TargetHoursForm",
    "VerdictForm",
    "WarningForm",
    "orphaned",
    "typed_again",
    "typed_like",
]
