"""What reviewers say of single answers. The platform takes no such verdicts: they are rows of the portal's own."""

from collections.abc import Iterable
from itertools import batched

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from portal.audit.services import record
from portal.comments.personal_data import without_addresses
from portal.page_refresh.services import touch_areas
from portal.questionnaires import four_eyes
from portal.questionnaires.models import Questionnaire, Response, Review, Verdict
from portal.questionnaires.services.decisions import NotAllowed
from portal.tenants.models import Membership, Role

BATCH = 500
DONE = {Verdict.APPROVED: "Approved the answer to", Verdict.RETURNED: "Returned the answer to"}


class ReviewConflict(Exception):
    """The answer, or what was said of it, is not what the reviewer had before them. Nothing was written."""


@transaction.atomic
def decide(response: Response, *, member: Membership, verdict: Verdict, seen: str, reason: str = "") -> Review:
    """Approve an answer, or return it with a reason; `seen` stands for what the reviewer had before them (`seen_of`).

    Raises NotAllowed or ReviewConflict.
    """
    questionnaire = lock_for_review(response.questionnaire, member)
    row = Response.objects.get(pk=response.pk)
    newest = Review.objects.newest().filter(response=row).first()
    if row.gone_at or not row.is_answered or row.is_pending:
        raise NotAllowed("There is no longer a finished answer to review.")
    if seen != seen_of(row, newest):
        raise ReviewConflict
    if verdict == Verdict.APPROVED and (words := four_eyes.own_answer(row, member)):
        raise NotAllowed(words)
    Review.objects.newest().filter(response=row).update(is_newest=False)
    review = Review.objects.create(verdict=verdict, reason=reason, **what_is_reviewed(row, member))
    before = newest.get_verdict_display() if newest else "Not reviewed"
    change = {"before": before, "after": review.get_verdict_display()}
    if reason:
        change["reason"] = without_addresses(reason)
    note(questionnaire, row, member, f"response.{verdict}", f"{DONE[verdict]} “{row.question[:150]}”", **change)
    return review


@transaction.atomic
def undo(response: Response, *, member: Membership) -> int:
    """Take back one's own newest verdict on an answer, with all that were made in the same go; return how many.

    Raises NotAllowed when somebody has decided since.
    """
    questionnaire = lock_for_review(response.questionnaire, member)
    review = Review.objects.newest().filter(response=response, by=member.user).first()
    if review is None:
        raise NotAllowed("You have nothing to undo here: someone else has decided since, or you already undid it.")
    rows = Review.objects.newest().filter(batch=review.batch) if review.batch else Review.objects.filter(pk=review.pk)
    keys = list(rows.values_list("response_id", flat=True))
    rows.update(is_newest=False, undone_at=timezone.now())
    bring_back_earlier(keys)
    if review.batch:
        summary = f"Undid the approval of {len(keys)} unchanged answer{'' if len(keys) == 1 else 's'}."
        note_on_all(questionnaire, member, "questionnaire.undo_unchanged", summary, {"batch": str(review.batch)})
    else:
        summary = f"Undid: {review.get_verdict_display().lower()} the answer to “{response.question[:150]}”"
        note(questionnaire, response, member, "response.undo", summary)
    return len(keys)


def bring_back_earlier(keys: Iterable[int]) -> None:
    """Let the verdict count that stood before the one that was taken back."""
    for some in batched(keys, BATCH):
        earlier = Review.objects.standing().filter(response__in=some).order_by()
        newest = earlier.values("response").annotate(last=Max("pk")).values_list("last", flat=True)
        Review.objects.filter(pk__in=list(newest)).update(is_newest=True)


def seen_of(response: Response, newest: Review | None) -> str:
    """Stands for the answer as it is and the newest verdict on it."""
    return f"{response.answer_digest}-{response.question_key}-{newest.pk if newest else ''}"


def what_is_reviewed(response: Response, member: Membership) -> dict[str, object]:
    """The columns of a review that tell who reviewed what."""
    return {
        "response": response,
        "by": member.user,
        "by_name": str(member.user)[:120],
        "question_key": response.question_key,
        "answer_digest": response.answer_digest,
        "answer_text": response.answer_text,
    }


def lock_for_review(questionnaire: Questionnaire, member: Membership) -> Questionnaire:
    """Let nobody else decide, and no sync change an answer, until the transaction ends."""
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    row = Questionnaire.objects.select_for_update().get(pk=questionnaire.pk)
    if row.gone_at or row.is_over:
        raise NotAllowed("This questionnaire is closed. Its answers can no longer be reviewed.")
    if row.responses_synced_at is None:
        raise NotAllowed("The questions are being read from the platform. Try again in a moment.")
    return row


def note(
    questionnaire: Questionnaire, response: Response, member: Membership, action: str, summary: str, **details: str
) -> None:
    target = ("response", response.platform_id)
    details["questionnaire"] = questionnaire.platform_id
    record(action, target=target, summary=summary, actor=member.user, details=details)
    show(questionnaire)


def note_on_all(
    questionnaire: Questionnaire, member: Membership, action: str, summary: str, details: dict[str, object]
) -> None:
    target = ("questionnaire", questionnaire.platform_id)
    record(action, target=target, summary=summary, actor=member.user, details=details)
    show(questionnaire)


def show(questionnaire: Questionnaire) -> None:
    """Have the open pages of a questionnaire draw themselves again."""
    Questionnaire.objects.filter(pk=questionnaire.pk).update(touched_at=timezone.now())
    touch_areas("questionnaires")
