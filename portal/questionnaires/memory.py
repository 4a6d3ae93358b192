"""What this tenant has answered before to the question at hand, and to questions like it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from portal.questionnaires import fulltext
from portal.questionnaires.models import Response
from portal.questionnaires.stages import FINISHED
from portal.questionnaires.text_keys import telling_words

SHOWN = 6
SHOWN_TO_REVIEWERS = 3
LOOKED_AT = 60
"""Many of the best hits are one answer given many times; each is shown once."""


@dataclass
class PastAnswer:
    """An answer that was given before; the newest questionnaire it went to stands for all of them."""

    response: Response
    is_same_question: bool
    also_in: list[str] = field(default_factory=list)
    """The names of the other questionnaires with the same answer."""


@dataclass(frozen=True)
class Memory:
    """What the panel beside an answer shows."""

    answers: list[PastAnswer]
    is_drifting: bool
    """The same question was answered in different words to different customers, in questionnaires that are finished."""


def remember(response: Response) -> Memory:
    """Find answers to the same question first, then to those that share its words."""
    others = Response.objects.remembered().exclude(pk=response.pk).select_related("questionnaire")
    same = list(others.filter(question_key=response.question_key).order_by("-id")[:LOOKED_AT]) if response.question_key else []
    found = fulltext.find(telling_words(response.question), in_answers=False, most=LOOKED_AT)
    like = [row for row in in_order_of(found, others.filter(pk__in=found)) if row.question_key != response.question_key]
    sent = {row.answer_key for row in same if row.questionnaire.status in FINISHED}
    return Memory(gathered(same, like), is_drifting=len(sent) > 1)


def search(words: str, *, beside: Response) -> Memory:
    """Find answers by words of the question or the answer."""
    found = fulltext.find(telling_words(words), in_answers=True, most=LOOKED_AT)
    rows = Response.objects.remembered().exclude(pk=beside.pk).filter(pk__in=found).select_related("questionnaire")
    return Memory(gathered([], in_order_of(found, rows)), is_drifting=False)


def approved_before(response: Response) -> list[Response]:
    """Find what reviewers approved as answer to the same question, newest first, each wording once."""
    if not response.question_key:
        return []
    same = Response.objects.remembered().filter(question_key=response.question_key).exclude(pk=response.pk)
    approved = same.approved().select_related("questionnaire").order_by("-id")[:LOOKED_AT]
    wordings: dict[str, Response] = {}
    for row in approved:
        wordings.setdefault(row.answer_digest, row)
    return [*wordings.values()][:SHOWN_TO_REVIEWERS]


def in_order_of(keys: list[int], rows: Iterable[Response]) -> list[Response]:
    by_key = {row.pk: row for row in rows}
    return [by_key[key] for key in keys if key in by_key]


def gathered(same: list[Response], like: list[Response]) -> list[PastAnswer]:
    """Show each answer once; among those to the same question the approved ones come first."""
    answers: dict[tuple[str, str], PastAnswer] = {}
    for row in [*sorted(same, key=lambda row: not row.is_approved), *like]:
        known = answers.get((row.question_key, row.answer_key))
        if known is None:
            answers[row.question_key, row.answer_key] = PastAnswer(row, is_same_question=row in same)
        elif row.questionnaire.name not in (known.response.questionnaire.name, *known.also_in):
            known.also_in.append(row.questionnaire.name)
    return [*answers.values()][:SHOWN]
