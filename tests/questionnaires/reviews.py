"""Hands for the tests of the review: answers to review, and reviewers' words."""

from portal.questionnaires import services
from portal.questionnaires.models import Response, Review, Verdict
from portal.tenants.models import Membership
from tests.questionnaires.conftest import TWO_PARTS, Desk

WORDS = ("We do, with AES-256.", "Yes, every year.", "In Frankfurt and Dublin.", "By an outside firm.", "Within 24 hours.")


def give_answers(desk: Desk, count: int) -> list[Response]:
    """Answer the first questions of the questionnaire that is in progress, so that none of them has been reviewed."""
    rows = list(Response.objects.filter(questionnaire=desk.questionnaire).order_by("position")[:count])
    for row, words in zip(rows, WORDS, strict=False):
        answer(desk, row, words)
    desk.fetch()
    return [again(row) for row in rows]


def answer(desk: Desk, row: Response, words: str, **changes: object) -> None:
    """Put an answer to one question on the platform; `fetch` brings it here."""
    values = {"p1": "Yes", "p2": words}
    usual = {
        "answerPartsSchema": TWO_PARTS,
        "answerPartsValues": values,
        "isPendingAnswerGeneration": False,
        "approvedBy": None,
    }
    desk.change_there(row, **(usual | changes))


def again(row: Response) -> Response:
    return Response.objects.reviewed().select_related("questionnaire").get(pk=row.pk)


def seen(row: Response) -> str:
    return services.seen_of(again(row), Review.objects.newest().filter(response=row).first())


def approve(row: Response, member: Membership) -> Review:
    return services.decide(row, member=member, verdict=Verdict.APPROVED, seen=seen(row))


def return_it(row: Response, member: Membership, reason: str = "Too short.") -> Review:
    return services.decide(row, member=member, verdict=Verdict.RETURNED, seen=seen(row), reason=reason)
