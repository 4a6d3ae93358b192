"""Answers that a reviewer has returned."""

from typing import Any

from portal.questionnaires.models import Questionnaire, Response, Review, Standing, Verdict
from portal.questionnaires.stages import UNFINISHED

MOST_RETURNS = 50


def returns(questionnaire: Questionnaire) -> list[dict[str, Any]]:
    """The answers that reviewers returned; the many that they approved would bury everything else."""
    rows = Review.objects.standing().of_questionnaire(questionnaire).filter(verdict=Verdict.RETURNED).select_related("response")
    return [
        {
            "title": f"{row.by_name}: Returned the answer to “{row.response.question[:150]}”",
            "text": row.reason[:400],
            "at": row.at,
            "icon": "undo-2",
            "tone": "warn",
        }
        for row in rows.defer("response__payload", "answer_text")[:MOST_RETURNS]
    ]


def newest_verdict(response: Response) -> Review | None:
    return Review.objects.newest().filter(response=response).first()


def is_to_be_changed(response: Response, verdict: Review | None) -> bool:
    """Say whether whoever answers has to act: until the answer was changed and handed over again, or approved."""
    if verdict is None or not verdict.is_return or response.standing == Standing.APPROVED:
        return False
    return response.standing == Standing.RETURNED or response.questionnaire.status in UNFINISHED
