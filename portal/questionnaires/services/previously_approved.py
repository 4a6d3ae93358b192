"""Approving in one go what was approved before in the very same words."""

from itertools import batched
from uuid import uuid4

from django.db import transaction

from portal.questionnaires.models import Questionnaire, Response, Review, Verdict
from portal.questionnaires.previously_approved import IS_UNCHANGED, LEFT, Finding, numbers_of, review_findings
from portal.questionnaires.services.verdicts import BATCH, lock_for_review, note_on_all, what_is_reviewed
from portal.tenants.models import Membership


@transaction.atomic
def approve_unchanged(questionnaire: Questionnaire, *, member: Membership) -> dict[str, int]:
    """Approve every unchanged answer; return how many there were of each finding. Raises NotAllowed."""
    questionnaire = lock_for_review(questionnaire, member)
    rows = review_findings(questionnaire, member)
    numbers = numbers_of(rows)
    keys = list(rows.filter(IS_UNCHANGED).values_list("pk", flat=True))
    batch = uuid4()
    for some in batched(keys, BATCH):
        Review.objects.newest().filter(response__in=some).update(is_newest=False)
        Review.objects.bulk_create(
            Review(verdict=Verdict.APPROVED, batch=batch, **what_is_reviewed(row, member))
            for row in Response.objects.filter(pk__in=some).defer("payload", "search").order_by("position", "id")
        )
    if keys:
        summary = f"Approved {len(keys)} unchanged answer{'' if len(keys) == 1 else 's'}."
        left = {each.value: numbers[each] for each in LEFT if numbers.get(each)}
        details = {"batch": str(batch), "approved": len(keys), "left": left}
        note_on_all(questionnaire, member, "questionnaire.approve_unchanged", summary, details)
    return numbers | {Finding.UNCHANGED: len(keys)}
