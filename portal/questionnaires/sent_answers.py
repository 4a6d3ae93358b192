"""What customers were told: the answers to one question in questionnaires that are finished."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from portal.questionnaires.account_names import NamedAccount, named_accounts
from portal.questionnaires.models import Drift, Response
from portal.questionnaires.stages import FINISHED

NEWEST: Final = 500
"""So often a question is looked at, the newest first: one that everybody asks would make each look slow."""
COLUMNS: Final = (
    "pk",
    "answer_key",
    "is_approved",
    "questionnaire__status",
    "questionnaire__gone_at",
    "questionnaire__updated_at",
)


@dataclass
class SentAnswer:
    """One answer to a question, how often it was given, and where last."""

    newest: int
    newest_at: datetime
    count: int = 1
    is_approved: bool = False
    response: Response | None = None
    account: NamedAccount | None = None
    """Whose questionnaire it was given in last."""


@dataclass(frozen=True)
class SentAnswers:
    """A question with the different answers to it, the most frequent first."""

    drift: Drift
    answers: list[SentAnswer]


def answers_to(question_key: str) -> dict[str, SentAnswer]:
    """Gather the different answers to a question. No text is read: there may be hundreds."""
    rows = Response.objects.remembered().filter(question_key=question_key).order_by("-id").values_list(*COLUMNS)
    answers: dict[str, SentAnswer] = {}
    for pk, key, is_approved, status, gone_at, at in rows[:NEWEST]:
        if status not in FINISHED or gone_at or not key:
            continue
        known = answers.get(key)
        if known is None:
            answers[key] = SentAnswer(pk, at, is_approved=is_approved)
            continue
        known.count += 1
        known.is_approved = known.is_approved or is_approved
        if at > known.newest_at:
            known.newest, known.newest_at = pk, at
    return answers


def sent_answers_of(drifts: Iterable[Drift], *, most: int, slug: str) -> list[SentAnswers]:
    """Give the answers as a page shows them. What has become one answer meanwhile is left out."""
    found = []
    for drift in drifts:
        answers = sorted(answers_to(drift.question_key).values(), key=lambda one: (-one.count, one.newest))
        if len(answers) > 1:
            found.append(SentAnswers(drift, answers[:most]))
    newest: dict[Any, Response] = Response.objects.select_related("questionnaire").in_bulk(
        [answer.newest for one in found for answer in one.answers]
    )
    accounts = named_accounts((row.questionnaire.account_id for row in newest.values()), slug=slug)
    for answer in (answer for one in found for answer in one.answers):
        answer.response = newest.get(answer.newest)
        answer.account = accounts.get(answer.response.questionnaire.account_id) if answer.response else None
    return found
