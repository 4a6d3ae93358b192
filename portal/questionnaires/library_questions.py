"""What the answer library is told of the questions of this desk, so that it can say which of them have no entry."""

from collections.abc import Collection, Iterable, Mapping

from django.db.models import OuterRef, Subquery
from django.urls import reverse

from portal.library.asked import Answer, Desk, Question
from portal.library.models import Wording
from portal.questionnaires.library_uses import answer_of
from portal.questionnaires.models import Response


def questions(keys: Collection[int], slug: str) -> Mapping[int, Question]:
    rows = Response.objects.filter(pk__in=keys).select_related("questionnaire").defer("payload")
    return {row.pk: found for row, found in _described(rows, slug)}


def last_answered(keys: Collection[str], slug: str) -> Mapping[str, Question]:
    """Find the newest answer to each wording: one look into the index for each, however often it was asked."""
    newest = Response.objects.remembered().filter(question_key=OuterRef("key")).order_by("-id").values("pk")[:1]
    found = Wording.objects.filter(key__in=keys).annotate(newest=Subquery(newest)).values_list("newest", flat=True)
    rows = Response.objects.filter(pk__in=[key for key in found if key]).select_related("questionnaire").defer("payload")
    return {row.question_key: answered for row, answered in _described(rows, slug)}


def approved_answer(keys: Collection[str]) -> Answer | None:
    row = Response.objects.remembered().filter(question_key__in=keys).approved().order_by("-id").first()
    return answer_of(row) if row else None


def _described(rows: Iterable[Response], slug: str) -> Iterable[tuple[Response, Question]]:
    for row in rows:
        url = reverse("questionnaires:response", args=[slug, row.questionnaire.platform_id, row.platform_id])
        yield (
            row,
            Question(
                text=row.question,
                title=str(row.questionnaire),
                url=url if row.gone_at is None else "",
                answer=" · ".join(row.answer_text.splitlines()),
                at=row.questionnaire.created_at,
            ),
        )


DESK = Desk(questions=questions, last_answered=last_answered, approved_answer=approved_answer)
