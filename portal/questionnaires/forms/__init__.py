"""The forms of the desk."""

from portal.questionnaires.forms.answers import AnswerForm
from portal.questionnaires.forms.steps import (
    CHANGE_FORMS,
    ApprovalForm,
    AssignForm,
    ChangeForm,
    CompletionForm,
    DueForm,
    StatusForm,
    TakeForm,
    ViewForm,
)

__all__ = [
    "CHANGE_FORMS",
    "AnswerForm",
    "ApprovalForm",
    "AssignForm",
    "ChangeForm",
    "CompletionForm",
    "DueForm",
    "StatusForm",
    "TakeForm",
    "ViewForm",
]
