"""How well an earlier question answers the one at hand: by the terms that they share, each as heavy as it is rare."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from portal.library.lexicon import lexicon
from portal.library.terms import Terms

type Weight = Callable[[str], float]
BREADTH: Final = 0.35
"""How much it counts against an earlier question that it asks for more than the one at hand."""
REVERSED: Final = 0.92
"""What is left of the likeness where one of the two asks for the contrary: the same subject, and the other answer."""
IN_ANSWER: Final = 0.45
"""What a term is worth that the earlier question does not have, but its answer."""
SAME, NEAR = 0.9, 0.6


class Likeness(StrEnum):
    """How like two questions are, in words for people."""

    SAME = "Same"
    NEAR = "Near"
    RELATED = "Related"


def likeness_of(score: float) -> Likeness:
    return Likeness.SAME if score >= SAME else Likeness.NEAR if score >= NEAR else Likeness.RELATED


def score(wanted: Terms, given: Terms, weight: Weight, *, answer: frozenset[str] = frozenset()) -> float:
    """Return how like an earlier question is, from 0 to 1; `answer` holds the terms of its answer."""
    if not wanted.terms or not given.terms:
        return 0.0
    asked = sum(weight(term) for term in wanted.terms)
    covered = sum(weight(term) * met(term, given.terms, answer) for term in wanted.terms)
    offered = sum(weight(term) for term in given.terms)
    used = sum(weight(term) * met_either(term, wanted.terms) for term in given.terms)
    recall, precision = covered / asked, used / offered
    if not recall or not precision:
        return 0.0
    found = 1 / ((1 - BREADTH) / recall + BREADTH / precision)
    return found * REVERSED if wanted.is_negated != given.is_negated else found


def met(term: str, given: Sequence[str], answer: frozenset[str]) -> float:
    """Return how well a term that is asked for is met by the terms of an earlier question, or else by its answer's."""
    if term in given:
        return 1.0
    near = lexicon().near.get(term, {})
    best = max((near.get(other, 0.0) for other in given), default=0.0)
    return max(best, IN_ANSWER) if term in answer else best


def met_either(term: str, wanted: Sequence[str]) -> float:
    """Return how much of a term that an earlier question has is asked for."""
    if term in wanted:
        return 1.0
    near = lexicon().near
    return max((max(near.get(term, {}).get(other, 0.0), near.get(other, {}).get(term, 0.0)) for other in wanted), default=0.0)
