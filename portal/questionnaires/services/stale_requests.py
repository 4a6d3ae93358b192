"""Have something fetched now, because somebody is looking at it."""

from portal.questionnaires.models import Questionnaire
from portal.sync.services import mark_stale
from portal.sync.wake import wake_drain


def ask_for_responses(questionnaire: Questionnaire) -> None:
    mark_stale("responses", questionnaire.platform_id, urgent=True)
    wake_drain()


def ask_for_questionnaire(questionnaire: Questionnaire) -> None:
    mark_stale("questionnaire", questionnaire.platform_id, urgent=True)
    wake_drain()
