"""What this tenant has answered before to the question at hand, and to questions like it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from portal.lib.text_keys import telling_words
from portal.library.ranking import Likeness, likeness_of
from portal.library.similarity import Search, like
from portal.questionnaires import fulltext
from portal.questionnaires.models import Drift, Response, ResponseQuerySet

SHOWN = 6
SHOWN_TO_REVIEWERS = 3
LOOKED_AT = 60
"""Many of the best hits are one answer given many times; each is shown once."""
RELATED = 0.15
"""How like a question has to be, from 0 to 1, for its answers to be worth reading."""
OF_EACH = 5
"""So many of the newest answers to one wording of a question are looked at."""


@dataclass
class PastAnswer:
    """An answer that was given before; the newest questionnaire it went to stands for all of them."""

    response: Response
    is_same_question: bool
    score: float = 0
    """How like its question is, from 0 to 1; 0 for what was found by its words."""
    also_in: list[str] = field(default_factory=list)
    """The names of the other questionnaires with the same answer."""

    @property
    def likeness(self) -> Likeness | None:
        return likeness_of(self.score) if self.score else None

    @property
    def percent(self) -> int:
        return round(100 * self.score)


@dataclass(frozen=True)
class Memory:
    """What the panel beside an answer shows."""

    answers: list[PastAnswer]
    is_drifting: bool
    """Customers were told different things about the same question, and nobody has settled it (`Drift`)."""


def remember(response: Response, wanted: Search | None = None) -> Memory:
    """Find answers to the same question first, then to those that ask for the same in other words.

    `wanted` is the search for its question, where somebody has begun one already.
    """
    others = Response.objects.remembered().exclude(pk=response.pk).select_related("questionnaire")
    same = list(others.filter(question_key=response.question_key).order_by("-id")[:LOOKED_AT]) if response.question_key else []
    scores = like(wanted or Search(response.question), most=LOOKED_AT, besides=[response.question_key])
    near = sorted(_newest_of_each(others.filter(question_key__in=scores)), key=lambda row: -scores[row.question_key])
    near = [row for row in near if scores[row.question_key] >= RELATED]
    is_drifting = Drift.objects.open().filter(question_key=response.question_key).exists()
    return Memory(gathered(same, near, scores), is_drifting=is_drifting)


def _newest_of_each(rows: ResponseQuerySet) -> ResponseQuerySet:
    """Keep the newest answers to each wording: one that was asked a thousand times leaves room for the others."""
    place = Window(RowNumber(), partition_by=F("question_key"), order_by="-id")
    return rows.annotate(place=place).filter(place__lte=OF_EACH).order_by("-id")


def search(words: str, *, beside: Response) -> Memory:
    """Find answers by words of the question or the answer."""
    found = fulltext.find(telling_words(words), most=LOOKED_AT)
    rows = Response.objects.remembered().exclude(pk=beside.pk).filter(pk__in=found).select_related("questionnaire")
    return Memory(gathered([], in_order_of(found, rows), {}), is_drifting=False)


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


def gathered(same: list[Response], near: list[Response], scores: Mapping[str, float]) -> list[PastAnswer]:
    """Show each answer once; among those to the same question the approved ones come first."""
    answers: dict[tuple[str, str], PastAnswer] = {}
    for row in [*sorted(same, key=lambda row: not row.is_approved), *near]:
        known = answers.get((row.question_key, row.answer_key))
        if known is None:
            is_same = row in same
            score = 1 if is_same else scores.get(row.question_key, 0)
            answers[row.question_key, row.answer_key] = PastAnswer(row, is_same_question=is_same, score=score)
        elif row.questionnaire.name not in (known.response.questionnaire.name, *known.also_in):
            known.also_in.append(row.questionnaire.name)
    return [*answers.values()][:SHOWN]
