"""What customers ask about a control: the entries of the library and the questions whose words are about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from portal.library.asked import Question, last_answered, questions
from portal.library.models import Wording
from portal.library.ranking import Likeness, likeness_of
from portal.library.selectors import FoundEntry, find_entries
from portal.library.similarity import WORTH_SHOWING, Search, like

MAX_ENTRIES, MAX_QUESTIONS = 5, 8
MAX_LENGTH = 400
"""Of a description that is looked for: what stands behind it is seldom what a question asks for."""


@dataclass(frozen=True)
class AskedQuestion:
    """A question that customers have asked, and how like the control it is."""

    question: Question
    score: float
    number: int
    """How often it was asked in these words."""

    @property
    def likeness(self) -> Likeness:
        return likeness_of(self.score)

    @property
    def percent(self) -> int:
        return round(100 * self.score)


@dataclass(frozen=True)
class Asked:
    """What was found."""

    entries: Sequence[FoundEntry]
    questions: Sequence[AskedQuestion]

    def __bool__(self) -> bool:
        return bool(self.entries or self.questions)


def asked_about(name: str, description: str, slug: str) -> Asked:
    """Look for the name of a control, and for its description where the name finds nothing."""
    found = Asked((), ())
    for words in (name, description[:MAX_LENGTH]):
        found = _look_for(words, slug) if words else found
        if found:
            break
    return found


def _look_for(words: str, slug: str) -> Asked:
    search = Search(words)
    entries = find_entries(search, today=timezone.localdate(), most=MAX_ENTRIES)
    return Asked([each for each in entries if each.score >= WORTH_SHOWING], _questions(search, slug))


def _questions(search: Search, slug: str) -> list[AskedQuestion]:
    """Return the questions that are like it, each with the answer that was given last; else as it was asked last."""
    scores = {key: score for key, score in like(search, most=MAX_QUESTIONS).items() if score >= WORTH_SHOWING}
    wordings = {row.key: row for row in Wording.objects.asked().filter(key__in=scores)}
    answered = last_answered(list(wordings), slug)
    open_ones = {key: row.asked_as for key, row in wordings.items() if key not in answered and row.asked_as}
    unanswered = questions(list(open_ones.values()), slug)
    found = []
    for key, score in scores.items():
        row = wordings.get(key)
        question = answered.get(key) or unanswered.get(open_ones.get(key) or 0)
        if row and question:
            found.append(AskedQuestion(question, score, row.asked_count))
    return found
