"""How sure it is that what was said to one question answers another one as well.

A logistic regression over five signs, fitted to questions of which it is known what answers them, over libraries of 300, of
100 and of 30 entries: in a small one, most questions have no answer at all. So a percent says how many of a hundred such
answers are right. `python -m tests.bench draft_weights` fits it anew.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from portal.library.models import Wording
from portal.library.ranking import NOTHING, share_of
from portal.library.similarity import Search
from portal.library.terms import Terms

BASE: Final = -7.1
WEIGHTS: Final = (1.3, 4.8, 4.2, 3.2, 1.3)
"""In the order of `Signs.values`."""
MAX_LEAD: Final = 0.4
"""What is further ahead of everything else is no surer for it."""
MAX_PERCENT: Final = 94
"""The most that another question reaches."""
WHOLE: Final = 0.7
"""An answer that has less of the question leaves something open: a plan says nothing yet of what it covers."""


@dataclass(frozen=True, kw_only=True)
class Signs:
    """What tells whether an earlier answer fits a question."""

    score: float
    lead: float
    """How much better it fits than the best one that says something else; below 0 where that one is ahead."""
    told: float
    """What share of the question its own question or answer has, by weight."""
    asked_for: float
    """What share of its own question is asked for."""
    terms: int
    """How many things the question names: the more, the less it fits something else by chance."""

    @property
    def values(self) -> tuple[float, ...]:
        return self.score, min(self.lead, MAX_LEAD), self.told, self.asked_for, math.log1p(self.terms)

    @property
    def is_whole(self) -> bool:
        """Whether the answer has what is asked, so that its Yes or No may be given again."""
        return self.told >= WHOLE

    @property
    def percent(self) -> int:
        against = -BASE - sum(weight * value for weight, value in zip(WEIGHTS, self.values, strict=True))
        return min(MAX_PERCENT, round(100 / (1 + math.exp(against))))


def signs_of(search: Search, wording: Wording, *, score: float, lead: float, answer: Terms = NOTHING) -> Signs:
    """Compare a question with an earlier one and its answer."""
    return Signs(
        score=score,
        lead=lead,
        told=share_of(search.terms, search.weight, within={**wording.terms, **answer}),
        asked_for=share_of(wording.terms, search.weight, within=search.terms),
        terms=len(search.terms),
    )


def lead_of(search: Search, wording: Wording, score: float, others: Sequence[tuple[Wording, float]]) -> float:
    """Return how far ahead of the others it is. Those that ask for the same are no rivals: they bear it out."""
    rivals = [rival for other, rival in others if not search.are_alike(wording, other)]
    return score - max(rivals, default=0.0)
