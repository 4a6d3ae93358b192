"""Which answers of a questionnaire were approved before in the very same words, and why the others have to be read."""

from collections.abc import Mapping
from typing import Final

from django.db import models
from django.db.models import Case, Count, Exists, F, OuterRef, Q, Value, When

from portal.questionnaires import four_eyes
from portal.questionnaires.models import (
    APPROVED_THERE,
    Questionnaire,
    Response,
    ResponseQuerySet,
    Review,
    Standing,
    Verdict,
)
from portal.tenants.models import Membership


class Finding(models.TextChoices):
    """What is found about an answer."""

    UNCHANGED = "unchanged", "approved before with the same wording"
    APPROVED = "approved", "approved already"
    RETURNED = "returned", "returned, and not changed since"
    WAITING = "waiting", "without a finished answer"
    OWN = "own", "written by you (four eyes)"
    REFUSED = "refused", "returned elsewhere with the same wording"
    CHANGED = "changed", "changed since a review here"
    NEW = "new", "never approved with this wording"


IS_UNCHANGED: Final = Q(finding=Finding.UNCHANGED)
LEFT: Final = tuple(each for each in Finding if each not in (Finding.UNCHANGED, Finding.APPROVED))
"""What has to be looked at one by one."""
ALIKE: Final = Q(question_key=OuterRef("question_key"), answer_digest=OuterRef("answer_digest")) & ~Q(question_key="")
"""Of the same question with the same answer. Questions without a word are never the same."""


def review_findings(questionnaire: Questionnaire, member: Membership) -> ResponseQuerySet:
    """Give the questions of a questionnaire, each with what is found about its answer (`finding`)."""
    rows = Response.objects.present().filter(questionnaire=questionnaire).reviewed()
    own = Q(pk__in=())
    if four_eyes.is_on():
        rows, own = four_eyes.with_last_editor(rows), Q(last_editor=member.user_id)
    return rows.annotate(
        finding=Case(
            When(standing=Standing.APPROVED, then=Value(Finding.APPROVED)),
            When(standing=Standing.RETURNED, then=Value(Finding.RETURNED)),
            When(standing=Standing.WAITING, then=Value(Finding.WAITING)),
            When(own, then=Value(Finding.OWN)),
            When(Exists(Review.objects.newest().filter(ALIKE, verdict=Verdict.RETURNED)), then=Value(Finding.REFUSED)),
            When(Q(standing=Standing.OPEN) & approved_elsewhere(questionnaire), then=Value(Finding.UNCHANGED)),
            When(Q(newest__verdict=Verdict.APPROVED) & approved_here(), then=Value(Finding.UNCHANGED)),
            When(standing=Standing.CHANGED, then=Value(Finding.CHANGED)),
            default=Value(Finding.NEW),
            output_field=models.CharField(),
        )
    )


def approved_elsewhere(questionnaire: Questionnaire) -> Q:
    there = Response.objects.filter(ALIKE, APPROVED_THERE).exclude(questionnaire=questionnaire)
    here = Review.objects.newest().filter(ALIKE, verdict=Verdict.APPROVED).exclude(response__questionnaire=questionnaire)
    return Q(Exists(there)) | Q(Exists(here))


def approved_here() -> Q:
    """Somebody approved this very answer, another one stood here meanwhile, and now it is back."""
    return Q(Exists(Review.objects.standing().filter(ALIKE, verdict=Verdict.APPROVED, response=OuterRef("pk"))))


def count(questionnaire: Questionnaire, member: Membership) -> int:
    return review_findings(questionnaire, member).filter(IS_UNCHANGED).count()


def numbers_of(rows: ResponseQuerySet) -> dict[str, int]:
    counted = rows.order_by().values(kind=F("finding")).annotate(number=Count("pk"))
    return {row["kind"]: row["number"] for row in counted}


def left_in_words(numbers: Mapping[str, int]) -> list[str]:
    """Say how many answers are left, and why, for example `3 never approved in these words`."""
    return [f"{numbers[each]} {each.label}" for each in LEFT if numbers.get(each)]


def with_precedents(rows: list[Response]) -> list[tuple[Response, Response | None]]:
    """Name with each of these answers one like it that was approved in another questionnaire, in a single query."""
    like = Response.objects.filter(
        question_key__in={row.question_key for row in rows}, answer_digest__in={row.answer_digest for row in rows}
    )
    approved = like.remembered().approved().select_related("questionnaire").order_by("id")
    newest = {(row.question_key, row.answer_digest): row for row in approved.defer("payload", "questionnaire__payload")}
    return [(row, newest.get((row.question_key, row.answer_digest))) for row in rows]
