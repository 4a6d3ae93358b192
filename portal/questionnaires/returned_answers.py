"""Answers that a reviewer has returned."""

from portal.questionnaires.models import Response, Review, Standing
from portal.questionnaires.stages import UNFINISHED


def newest_verdict(response: Response) -> Review | None:
    return Review.objects.newest().filter(response=response).first()


def is_to_be_changed(response: Response, verdict: Review | None) -> bool:
    """Say whether whoever answers has to act: until the answer was changed and handed over again, or approved."""
    if verdict is None or not verdict.is_return or response.standing == Standing.APPROVED:
        return False
    return response.standing == Standing.RETURNED or response.questionnaire.status in UNFINISHED
