"""What an answer says, and how serious it is that two answers to one question say different things. Pure functions."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import Final

from django.db import models

from portal.questionnaires.answer_words import NEGATIONS, UNITS, SetAside, Word, words_that_count
from portal.questionnaires.answers import Answer, Kind

LEADING: Final = re.compile(r"\s*(yes|no)\b(?=\s*(?:$|[.,;:!–—-]|we\b|it\b|they\b|this\b))", re.IGNORECASE)
BULLET: Final = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")
MAX_COMPARED: Final = 20
"""So many meanings of a question are compared each with each, the most frequent first."""
ALIKE: Final = 0.6
"""So much of their words two texts share when one of them is the other one denied."""


class Severity(models.IntegerChoices):
    """How serious it is that customers were told different things; the most serious comes first in an order."""

    CONTRARY = 10, "Yes against No"
    CHOICE = 20, "Another choice"
    FIGURE = 30, "Another figure"
    WORDS = 40, "Other words"

    @property
    def tone(self) -> str:
        return {self.CONTRARY: "bad", self.CHOICE: "warn", self.FIGURE: "warn", self.WORDS: "muted"}[self]


@dataclass(frozen=True)
class Meaning:
    """What is left of an answer once everything is set aside that says nothing about the matter."""

    stance: str = ""
    """`yes` or `no`; empty where the answer is neither."""
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Equal for two answers that say the same; empty for one that says nothing."""
        parts = [self.stance, *self.choices, *self.words]
        return sha256(json.dumps([self.stance, self.choices, self.words]).encode()).hexdigest()[:32] if any(parts) else ""

    @property
    def chosen(self) -> tuple[str, ...]:
        return self.choices or tuple(filter(None, [self.stance]))

    @property
    def figures(self) -> Counter[str]:
        """The numbers with their units, and how often something is done."""
        following = [*self.words[1:], ""]
        pairs = zip(self.words, following, strict=True)
        return Counter(
            f"{word} {unit}" if unit in UNITS.values() else word for word, unit in pairs if Word(word, 0, 0).is_figure
        )


def meaning_of(answer: Answer, aside: SetAside) -> Meaning:
    """Read an answer by the schema of its parts."""
    stance, choices, words = "", list[str](), list[str]()
    for part in answer.parts:
        if part.is_empty(part.value):
            continue
        if part.kind in (Kind.CHOICE, Kind.CHOICES, Kind.BOOLEAN):
            chosen = part.text.split("\n") if part.kind is Kind.CHOICES else [part.text]
            named = sorted(" ".join(each.casefold().split()) for each in chosen)
            if not stance and named[0] in ("yes", "no") and len(named) == 1:
                stance = named[0]
            else:
                choices += named
        else:
            stance, said = _read_text(part.text, aside, stance=stance, is_list=part.kind is Kind.LINES)
            words += said
    if not answer.parts:
        for _, text in answer.legacy:
            stance, said = _read_text(text, aside, stance=stance)
            words += said
    return Meaning(stance, tuple(choices), tuple(words))


def _read_text(text: str, aside: SetAside, *, stance: str, is_list: bool = False) -> tuple[str, list[str]]:
    """Return the stance, which a text may begin with, and the words; the points of a list have no order."""
    if leading := LEADING.match(text):
        said = leading[1].casefold()
        if not stance or stance == said:
            stance, text = said, text[leading.end() :]
    lines = text.split("\n")
    if is_list or (len(lines) > 1 and all(BULLET.match(line) for line in lines if line.strip())):
        points = sorted([word.text for word in words_that_count(BULLET.sub("", line), aside)] for line in lines)
        return stance, [word for point in points for word in point]
    return stance, [word.text for word in words_that_count(text, aside)]


def severity_of(meanings: Sequence[Meaning]) -> Severity:
    """Say how far these answers to one question are apart, at the worst."""
    if {"yes", "no"} <= {each.stance for each in meanings}:
        return Severity.CONTRARY
    found = [_between(one, other) for one, other in combinations(meanings[:MAX_COMPARED], 2)]
    if len({each.chosen for each in meanings if each.chosen}) > 1:
        found.append(Severity.CHOICE)
    return min(found, default=Severity.WORDS)


def _between(one: Meaning, other: Meaning) -> Severity:
    if _is_denied(one, other):
        return Severity.CONTRARY
    if one.chosen != other.chosen and one.chosen and other.chosen:
        return Severity.CHOICE
    # What one says besides is no contradiction: the figures have to stand against each other.
    if one.figures - other.figures and other.figures - one.figures:
        return Severity.FIGURE
    return Severity.WORDS


def _is_denied(one: Meaning, other: Meaning) -> bool:
    """Say whether one text is the other one with a No in it."""
    mine, theirs = Counter(one.words), Counter(other.words)
    denials = [sum(number for word, number in words.items() if word in NEGATIONS) for words in (mine, theirs)]
    shared, all_words = (mine & theirs).total(), (mine | theirs).total()
    return denials[0] % 2 != denials[1] % 2 and bool(all_words) and shared >= ALIKE * all_words
