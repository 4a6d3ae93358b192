"""A sentence with what tells what it is about, and the values in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from portal.commitments.text_extraction import patterns
from portal.commitments.text_extraction.numbers import Amount, lengths

NEAR = 70
"""Letters within which a word belongs to an amount."""


@dataclass(frozen=True)
class Value:
    """What is promised, and where that stands in the sentence."""

    at: int
    amount: Decimal | None = None
    unit: str = ""
    words: str = ""


@dataclass(frozen=True)
class Passage:
    """A sentence, and what tells what it is about: what stands before it in a contract, the question of an answer."""

    text: str
    context: str = ""
    is_answer: bool = False

    @cached_property
    def lengths(self) -> list[Amount]:
        return list(lengths(self.text))

    def without(self, cue: re.Pattern[str], *, unless: re.Pattern[str] | None = None) -> "Passage":
        """Leave out what matches, in the sentence and in what stands before it; everything else stays where it is."""

        def blank(match: re.Match[str]) -> str:
            return match[0] if unless and unless.search(match[0]) else " " * len(match[0])

        return replace(self, text=cue.sub(blank, self.text), context=cue.sub(blank, self.context))

    def mentions(self, cue: re.Pattern[str]) -> bool:
        """Say whether it stands in the sentence; an answer means what its question asks about."""
        return bool(cue.search(self.text)) or (self.is_answer and bool(cue.search(self.context)))

    def is_about(self, cue: re.Pattern[str]) -> bool:
        """Say whether the sentence is about it, or what stands before it."""
        return bool(cue.search(self.text) or cue.search(self.context))

    def limits(self, *, but: re.Pattern[str] | None = None) -> Iterator[Amount]:
        """Walk the lengths that are a limit, those first that say so; `but` is what a length must not belong to."""
        fitting = [each for each in self.lengths if but is None or not self._belongs(each, but)]
        said = [each for each in fitting if patterns.LIMIT.search(self.text[max(each.start - NEAR, 0) : each.start])]
        yield from said
        yield from (each for each in fitting if each not in said)

    def _belongs(self, amount: Amount, cue: re.Pattern[str]) -> bool:
        """Say whether the nearest such word stands right before an amount, or right behind it."""
        before = self.text[max(amount.start - NEAR, 0) : amount.start]
        behind = self.text[amount.end : amount.end + NEAR // 2]
        return bool(cue.search(re.split(r"[,;]", before)[-1]) or cue.search(re.split(r"[,;]", behind)[0]))
