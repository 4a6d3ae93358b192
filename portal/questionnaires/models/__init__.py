"""The mirror rows of this desk."""

from portal.questionnaires.models.questionnaire import KINDS, NO_DUE_DATE, Questionnaire, QuestionnaireQuerySet
from portal.questionnaires.models.response import LISTS, Response, ResponseQuerySet

__all__ = ["KINDS", "LISTS", "NO_DUE_DATE", "Questionnaire", "QuestionnaireQuerySet", "Response", "ResponseQuerySet"]
