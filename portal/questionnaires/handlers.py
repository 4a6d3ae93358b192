"""What an event states is applied at once; the rest is fetched. An event is a hint: neither its order nor its time counts."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from portal.live.services import changed
from portal.platform_api.webhooks import ExportCompleted, ExportFailed, QuestionnaireChanged, QuestionnaireStatusChanged
from portal.questionnaires.mirror import AREA, QUESTIONNAIRE, RESPONSES
from portal.questionnaires.models import Questionnaire
from portal.sync.services import mark_stale


def sync_questionnaire(event: QuestionnaireChanged) -> None:
    """Created, deleted or exported: the fetch will tell."""
    mark_stale(QUESTIONNAIRE, event.questionnaire_id)


def sync_status(event: QuestionnaireStatusChanged) -> None:
    """Show the stated status at once, as provisional: an older event may arrive last, and only the fetch knows."""
    row = Questionnaire.objects.present().filter(platform_id=event.questionnaire_id).exclude(status=event.status)
    if row.update(status=event.status[:80], is_provisional=True, touched_at=timezone.now()):
        changed(AREA)
    mark_stale(QUESTIONNAIRE, event.questionnaire_id)
    # A status comes with new questions or answers, which have no event of their own (specification section 3).
    mark_stale(RESPONSES, event.questionnaire_id)


ROUTES: dict[type, Callable[[Any], None]] = {
    QuestionnaireChanged: sync_questionnaire,
    QuestionnaireStatusChanged: sync_status,
    ExportCompleted: sync_questionnaire,
    ExportFailed: sync_questionnaire,
}
