"""How pages show what customers were told: each answer with its customers, and where it differs from the others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from typing import Final

from portal.questionnaires.account_names import NamedAccount, named_accounts
from portal.questionnaires.answer_words import SetAside, words_that_count
from portal.questionnaires.models import Drift, Response
from portal.questionnaires.sent_answers import Comparison, SentAnswer

MAX_COMPARED: Final = 4000
"""So many letters of an answer are compared word by word."""
SHORT: Final = 40
"""A longer choice is a text of its own and no sign beside the letter of an answer."""


@dataclass(frozen=True)
class Piece:
    """A part of a text, and whether the other answer says it differently."""

    text: str
    differs: bool


@dataclass(frozen=True)
class DriftCustomer:
    """A questionnaire in which an answer was given, and whose it is."""

    response: Response
    account: NamedAccount | None
    at: datetime


@dataclass(frozen=True)
class DriftAnswer:
    """One answer as a page shows it."""

    key: str
    sent: SentAnswer
    is_right: bool
    pieces: Sequence[Piece]
    customers: Sequence[DriftCustomer]

    @property
    def sign(self) -> tuple[str, str] | None:
        """Words and tone for what was chosen."""
        stance = self.sent.meaning.stance
        if stance:
            return stance.capitalize(), "good" if stance == "yes" else "bad"
        chosen = ", ".join(self.sent.meaning.choices)
        return (chosen.capitalize(), "muted") if chosen and len(chosen) <= SHORT else None


@dataclass(frozen=True)
class Told:
    """A question with the different answers to it, the most frequent first."""

    drift: Drift
    answers: Sequence[DriftAnswer]


class DriftAnswers:
    """Gathers what a page shows of several questions, with a handful of queries for all of their customers."""

    def __init__(self, drifts: Iterable[Drift], *, slug: str) -> None:
        self._comparison = Comparison()
        found = [(drift, self._comparison.answers_to(drift.question_key)) for drift in drifts]
        self._found = [(drift, answers) for drift, answers in found if len(answers) > 1 or (answers and drift.right_answer)]
        keys = [one.response_id for _, answers in self._found for answer in answers.values() for one in answer.tellings]
        rows = Response.objects.select_related("questionnaire").defer("payload", "questionnaire__payload")
        self._rows = rows.in_bulk(keys)
        self._accounts = named_accounts((row.questionnaire.account_id for row in self._rows.values()), slug=slug)

    def shown(self, *, most: int | None = None) -> list[Told]:
        """Give the answers as a page shows them. What has become one answer since is left out unless it was settled by it."""
        return [Told(drift, self._shown(drift, list(answers.items())[:most])) for drift, answers in self._found]

    def _shown(self, drift: Drift, answers: list[tuple[str, SentAnswer]]) -> list[DriftAnswer]:
        texts = [self._text(answer) for _, answer in answers]
        asides = [self._aside(answer) for _, answer in answers]
        shown = []
        for number, (key, answer) in enumerate(answers):
            # Each is compared with the most frequent one, and that one against the next.
            other = 0 if number else 1
            against = (texts[other], asides[other]) if len(texts) > 1 else (texts[number], asides[number])
            pieces = differences((texts[number], asides[number]), against)
            shown.append(DriftAnswer(key, answer, drift.is_right(key), pieces, self._customers(answer)))
        return shown

    def _text(self, answer: SentAnswer) -> str:
        row = self._rows.get(answer.newest.response_id)
        stance, text = answer.meaning.stance, row.answer_text if row else ""
        first, _, rest = text.partition("\n")
        # What was chosen stands beside it already.
        return rest if rest and stance and first.strip().casefold() == stance else text

    def _aside(self, answer: SentAnswer) -> SetAside:
        account = self._accounts.get(answer.newest.account_id)
        return self._comparison.aside([account.name] if account else [])

    def _customers(self, answer: SentAnswer) -> list[DriftCustomer]:
        tellings = sorted(answer.tellings, key=lambda telling: telling.at, reverse=True)
        return [
            DriftCustomer(self._rows[one.response_id], self._accounts.get(one.account_id), one.at)
            for one in tellings
            if one.response_id in self._rows
        ]


def differences(one: tuple[str, SetAside], other: tuple[str, SetAside]) -> list[Piece]:
    """Cut the first text into pieces that the second one says too, and pieces that it does not."""
    text = one[0]
    words = words_that_count(text[:MAX_COMPARED], one[1])
    others = words_that_count(other[0][:MAX_COMPARED], other[1])
    matcher = SequenceMatcher(None, [word.text for word in words], [word.text for word in others], autojunk=False)
    pieces, place = list[Piece](), 0
    for verb, start, end, _, _ in matcher.get_opcodes():
        if verb in ("equal", "insert"):
            continue
        begin, stop = words[start].start, words[end - 1].end
        pieces += [Piece(text[place:begin], differs=False), Piece(text[begin:stop], differs=True)]
        place = stop
    return [piece for piece in [*pieces, Piece(text[place:], differs=False)] if piece.text]
