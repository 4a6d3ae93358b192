"""The pages of the desk."""

from portal.questionnaires.views.answers import response
from portal.questionnaires.views.pages import activity, details, questionnaire, questionnaire_list
from portal.questionnaires.views.steps import approve, complete, set_status

__all__ = ["activity", "approve", "complete", "details", "questionnaire", "questionnaire_list", "response", "set_status"]
