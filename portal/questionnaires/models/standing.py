"""Where an answer stands between writers and reviewers. The database computes it, so nothing has to be kept in step."""

from typing import Final

from django.db import models
from django.db.models import Case, F, FilteredRelation, Q, Value, When


class Verdict(models.TextChoices):
    """What a reviewer says of an answer."""

    APPROVED = "approved", "Approved"
    RETURNED = "returned", "Returned"


class Standing(models.TextChoices):
    """What the verdicts of reviewers, here and on the platform, mean for the answer as it is now."""

    OPEN = "open"
    CHANGED = "changed"
    RETURNED = "returned"
    APPROVED = "approved"
    WAITING = "waiting"


SIGNS: Final = {
    Standing.OPEN: ("To review", "accent"),
    Standing.CHANGED: ("Changed since", "info"),
    Standing.RETURNED: ("Returned", "warn"),
    Standing.APPROVED: ("Approved", "good"),
    Standing.WAITING: ("No answer yet", "muted"),
}
"""Words and tone of each."""


NEWEST: Final = FilteredRelation("reviews", condition=Q(reviews__is_newest=True))
STILL_THE_SAME: Final = Q(newest__answer_digest=F("answer_digest"), newest__question_key=F("question_key"))
"""A verdict counts for one answer to one question: both are the ones that were reviewed."""

STANDING: Final = Case(
    When(Q(newest__verdict=Verdict.RETURNED) & STILL_THE_SAME, then=Value(Standing.RETURNED)),
    When(Q(is_approved=True) | (Q(newest__verdict=Verdict.APPROVED) & STILL_THE_SAME), then=Value(Standing.APPROVED)),
    When(Q(is_answered=False) | Q(is_pending=True), then=Value(Standing.WAITING)),
    When(newest__isnull=False, then=Value(Standing.CHANGED)),
    default=Value(Standing.OPEN),
    output_field=models.CharField(),
)

TO_REVIEW: Final = Q(standing__in=[Standing.OPEN, Standing.CHANGED])
REVIEW_LISTS: Final = {
    "": TO_REVIEW,
    "changed": Q(standing=Standing.CHANGED),
    "returned": Q(standing=Standing.RETURNED),
    "approved": Q(standing=Standing.APPROVED),
    "all": Q(),
}
"""What a reviewer goes through, by its name in the address."""
