"""What became of the objects that deliveries named."""

from collections.abc import Iterable

from django.db import transaction

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services.reading import EXAMPLE
from portal.live.services import changed
from portal.sync.services import Outcome, Result

OUTCOME_WORDS = {
    Result.CHANGED: "Fetched; the copy was brought up to date.",
    Result.UNCHANGED: "Fetched; the copy was up to date.",
    Result.GONE: "Fetched; the platform has no such object any more.",
    Result.NOTHING: f"{EXAMPLE}: the platform has no object with this id.",
}


@transaction.atomic
def note_outcomes(outcomes: Iterable[Outcome]) -> None:
    """Write to the deliveries what became of the objects they named, so that a person can follow the chain."""
    noted = 0
    for outcome in outcomes:
        if words := OUTCOME_WORDS.get(outcome.result):
            told = Delivery.objects.naming(outcome.object_id).filter(outcome="", state=DeliveryState.DONE)
            noted += told.update(outcome=words)
    if noted:
        changed("inbox")
