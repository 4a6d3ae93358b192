"""What became of the objects that deliveries named."""

from collections.abc import Iterable

from django.db import transaction

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services.parsing import EXAMPLE
from portal.page_refresh.services import touch_areas
from portal.sync.models import StaleMark
from portal.sync.services import Outcome, Result

UNREADABLE = "Fetched, but it could not be read; the copy stays as it was."
OUTCOME_WORDS = {
    Result.CHANGED: "Fetched; the copy was brought up to date.",
    Result.UNCHANGED: "Fetched; the copy was up to date.",
    Result.UNREADABLE: UNREADABLE,
    Result.GONE: "Fetched; the platform no longer has this object.",
    Result.NOTHING: f"{EXAMPLE}: the platform has no object with this id.",
}


@transaction.atomic
def note_outcomes(outcomes: Iterable[Outcome]) -> None:
    """Write to the deliveries what became of the objects they named, so that a person can follow the chain."""
    noted, outcomes = 0, list(outcomes)
    unreadable = _unreadable(outcomes)
    for outcome in outcomes:
        # An object may stand for several fetches, such as a questionnaire and its answers: none hides that another failed.
        words = UNREADABLE if outcome.object_id in unreadable else OUTCOME_WORDS.get(outcome.result)
        if words:
            told = Delivery.objects.naming(outcome.object_id).filter(outcome__in={"", UNREADABLE} - {words})
            noted += told.filter(state=DeliveryState.DONE).update(outcome=words)
    if noted:
        touch_areas("inbox")


def _unreadable(outcomes: Iterable[Outcome]) -> set[str]:
    """Return which of the objects have a part that cannot be read."""
    ids = [outcome.object_id for outcome in outcomes]
    return set(StaleMark.objects.unreadable().filter(object_id__in=ids).values_list("object_id", flat=True))
