"""What became of the objects that deliveries named."""

from collections.abc import Iterable

from django.db import transaction

from portal.inbox.models import Delivery, DeliveryState
from portal.live.services import changed
from portal.sync.services import Outcome, Result

EXAMPLE = "Example, nothing to fetch: the platform has no object with this id."
OUTCOME_WORDS = {
    Result.CHANGED: "Fetched; the copy was brought up to date.",
    Result.UNCHANGED: "Fetched; the copy was up to date.",
    Result.GONE: "Fetched; the platform has no such object any more.",
}


@transaction.atomic
def note_outcomes(outcomes: Iterable[Outcome]) -> None:
    """Write to the deliveries what became of the objects they named, so that a person can follow the chain."""
    noted = 0
    for outcome in outcomes:
        words = _outcome_words(outcome)
        if words:
            told = Delivery.objects.filter(object_id=outcome.object_id, outcome="", state=DeliveryState.DONE)
            noted += told.update(outcome=words)
    if noted:
        changed("inbox")


def _outcome_words(outcome: Outcome) -> str:
    if outcome.result is not Result.NOTHING:
        return OUTCOME_WORDS.get(outcome.result, "")
    earlier = Delivery.objects.filter(object_id=outcome.object_id, outcome__in=OUTCOME_WORDS.values())
    return OUTCOME_WORDS[Result.GONE] if earlier.exists() else EXAMPLE
