"""What the Trust Center desk is told of sent answers, so that it can say which FAQs contradict one."""

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import Final

from portal.lib.text_keys import key_of
from portal.library.caveats import caveats
from portal.library.models import Wording
from portal.library.ranking import SAME
from portal.library.similarity import Search
from portal.platform_api import models as remote
from portal.questionnaires.answer_meaning import Severity, meaning_of, severity_of
from portal.questionnaires.answers import Answer
from portal.questionnaires.library_questions import questions
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.questionnaires.models import Drift
from portal.questionnaires.sent_answers import Comparison, SentAnswer
from portal.sync.readiness import readiness
from portal.trust_center.sent_answers import Contradiction, Desk
from portal.trust_center.sent_answers import SentAnswer as NamedAnswer

SERIOUS: Final = (Severity.CONTRARY, Severity.FIGURE)
"""A text has no choices to differ in, and says the same in other words without contradicting."""
MAX_NAMED: Final = 20


class FaqComparison:
    """Compares FAQs of the tenant in scope with what customers were told."""

    def __init__(self) -> None:
        self._comparison = Comparison()

    def __call__(self, question: str, answer: str) -> Contradiction | None:
        said = meaning_of(_written(answer), self._comparison.aside())
        if not said.key:
            return None
        other: list[tuple[Severity, str, SentAnswer]] = []
        for key in _wordings_of(question, answer):
            for meaning, sent in self._sent(key).items():
                severity = severity_of([said, sent.meaning])
                if severity in SERIOUS:
                    other.append((severity, meaning, sent))
        return _contradiction(other) if other else None

    def _sent(self, question_key: str) -> dict[str, SentAnswer]:
        """Return what was sent. Where somebody has said which answer is right, the others are known to be wrong."""
        sent = self._comparison.meanings_of(question_key)
        drift = Drift.objects.filter(question_key=question_key).exclude(right_answer=[]).first()
        return {key: each for key, each in sent.items() if drift is None or drift.is_right(key)}


def _written(text: str) -> Answer:
    return Answer(remote.Response.read({"id": "faq", "answer": {"explanation": text}}))


def _wordings_of(question: str, answer: str) -> list[str]:
    """Return the keys of the wordings in which the very same was asked: an answer to another question contradicts nothing."""
    search = Search(question)
    alike = [row.key for row in search.wordings if row.key != search.key and _asks_the_same(search, row, question, answer)]
    return [key_of(question), *alike]


def _asks_the_same(search: Search, row: Wording, question: str, answer: str) -> bool:
    return search.likeness(row) >= SAME and not caveats(question, row.words.split(), answer)


def _contradiction(other: Sequence[tuple[Severity, str, SentAnswer]]) -> Contradiction:
    tellings = sorted((each for _, _, sent in other for each in sent.tellings), key=lambda telling: telling.at, reverse=True)
    return Contradiction(
        difference=str(min(severity for severity, _, _ in other).label),
        answers=[telling.response_id for telling in tellings[:MAX_NAMED]],
        sign=_sign(meaning for _, meaning, _ in other),
    )


def _sign(meanings: Iterable[str]) -> str:
    return sha256(" ".join(sorted(set(meanings))).encode()).hexdigest()[:32]


def answers(keys: Collection[int], slug: str) -> list[NamedAnswer]:
    found = questions(keys, slug)
    return [
        NamedAnswer(question=each.text, answer=each.answer, title=each.title, url=each.url)
        for each in (found[key] for key in keys if key in found)
    ]


DESK = Desk(is_read=lambda: readiness(QUESTIONNAIRE).is_known, comparison=FaqComparison, answers=answers)
