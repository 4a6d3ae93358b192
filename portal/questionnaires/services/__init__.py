"""Every change that a person or an event can make at this desk."""

from portal.questionnaires.services.answering import AnswerConflict, ResponseGone, update_answer
from portal.questionnaires.services.asking import ask_for_responses
from portal.questionnaires.services.deciding import NotAllowed, QuestionnaireGone, approve, change_status, complete
from portal.questionnaires.services.settling import OutcomeUnknown

__all__ = [
    "AnswerConflict",
    "NotAllowed",
    "OutcomeUnknown",
    "QuestionnaireGone",
    "ResponseGone",
    "approve",
    "ask_for_responses",
    "change_status",
    "complete",
    "update_answer",
]
