"""Have something fetched now, because somebody is looking at it."""

from portal.questionnaires.models import Questionnaire
from portal.sync.freshness import ask_for


def ask_for_responses(questionnaire: Questionnaire) -> None:
    ask_for("responses", questionnaire.platform_id)


def ask_for_questionnaire(questionnaire: Questionnaire) -> None:
    ask_for("questionnaire", questionnaire.platform_id)
