"""What an event states is applied at once; the rest is fetched. An event is a hint: neither its order nor its time counts."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils import timezone

from portal.lib.database import update_each
from portal.platform_api.webhooks import ExportCompleted, ExportFailed, QuestionnaireChanged, QuestionnaireStatusChanged
from portal.questionnaires.mirror import AREA, QUESTIONNAIRE, RESPONSES
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.services.clocks import note_statuses, recalculate_clocks_for
from portal.questionnaires.services.export_events import apply_events
from portal.questionnaires.services.export_outcomes import EXPORTS
from portal.sync.copies import locked_in_order
from portal.sync.services import Effects


def sync_questionnaires(events: Sequence[QuestionnaireChanged], effects: Effects) -> None:
    """Created or deleted: the fetch will tell."""
    effects.fetch(QUESTIONNAIRE, [event.questionnaire_id for event in events])


def sync_statuses(events: Sequence[QuestionnaireStatusChanged], effects: Effects) -> None:
    """Show the stated status at once, and fetch the questionnaire.

    A status comes with new questions or answers, which have no event of their own (specification section 3).
    """
    stated = {event.questionnaire_id: event.status for event in events}
    effects.show(AREA, partial(show_statuses, stated))
    effects.fetch(QUESTIONNAIRE, stated)
    effects.fetch(RESPONSES, stated)


def show_statuses(stated: Mapping[str, str]) -> bool:
    """Show statuses as provisional: an older event may arrive last, and only the fetch knows."""
    # Locked in one order, so that two batches with the same questionnaires wait for each other; a page of the list too.
    rows = locked_in_order(Questionnaire.objects.present().filter(platform_id__among=stated))
    news = [
        (pk, status, stated[platform_id][:80])
        for pk, platform_id, status in rows.values_list("pk", "platform_id", "status")
        if status != stated[platform_id][:80]
    ]
    if news:
        pks, columns = [pk for pk, _, _ in news], {"status": [status for _, _, status in news]}
        update_each(Questionnaire, pks, columns, is_provisional=True, touched_at=timezone.now())
        note_statuses(news)
        recalculate_clocks_for(pks)
    return bool(news)


def sync_exports(events: Sequence[ExportCompleted | ExportFailed], effects: Effects) -> None:
    """Show how an export ended at once, and have it looked at; one that nobody asked for here appears by itself."""
    effects.show(EXPORTS, partial(apply_events, events))
    effects.fetch(QUESTIONNAIRE, [event.questionnaire_id for event in events])


ROUTES: dict[type, Callable[[Sequence[Any], Effects], None]] = {
    QuestionnaireChanged: sync_questionnaires,
    QuestionnaireStatusChanged: sync_statuses,
    ExportCompleted: sync_exports,
    ExportFailed: sync_exports,
}
