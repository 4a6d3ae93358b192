"""Have something fetched now, because somebody is looking at it."""

from portal.questionnaires.models import Questionnaire
from portal.sync.bell import ring
from portal.sync.services import mark_stale


def ask_for_responses(questionnaire: Questionnaire) -> None:
    mark_stale("responses", questionnaire.platform_id, urgent=True)
    ring()


def ask_for_questionnaire(questionnaire: Questionnaire) -> None:
    mark_stale("questionnaire", questionnaire.platform_id, urgent=True)
    ring()
