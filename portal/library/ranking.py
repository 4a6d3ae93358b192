"""How well an earlier answer fits a question: by the terms that the two share, each as heavy as it is rare.

It is BM25 over two fields (the earlier question, and what was answered to it), with what is near in the lexicon counted in
part, and set in relation to the best that any answer could reach: 1 says all that is asked for, and nothing else.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from portal.library.lexicon import NEGATION, lexicon
from portal.library.terms import Terms

type Weight = Callable[[str], float]
ANSWER: Final = 0.5
"""What a term in the answer is worth beside one in the question."""
NEAR_SHARE: Final = 0.7
"""What nearness is worth: the lexicon says how near two concepts are to each other, not how well one stands in."""
SATURATION, LENGTH = 1.2, 0.4
"""Those of BM25: how soon more of the same term adds nothing, and how much a long text counts less."""
QUESTION_TERMS, ANSWER_TERMS = 7, 18
"""Of a usual length."""
BREADTH, COVERAGE = 0.3, 0.3
"""How much it counts that an earlier question asks for more than the one at hand, and that it asks for less."""
REVERSED: Final = 0.85
"""What is left where one of the two asks for the contrary: it is the same subject, and the other answer."""
SAME, NEAR = 0.8, 0.5


class Likeness(StrEnum):
    """How like two questions are, in words for people."""

    SAME = "Same"
    NEAR = "Near"
    RELATED = "Related"


def likeness_of(score: float) -> Likeness:
    return Likeness.SAME if score >= SAME else Likeness.NEAR if score >= NEAR else Likeness.RELATED


NOTHING: Final[Mapping[str, float]] = {}


def score(wanted: Terms, given: Terms, weight: Weight, *, answer: Terms = NOTHING) -> float:
    """Return how well an earlier question, with its answer, fits the one that is asked: from 0 to 1."""
    asked = sum(weight(term) * min(1, count) for term, count in wanted.items())
    offered = sum(weight(term) for term in given)
    if not asked or not offered:
        return 0.0
    length = 1 - LENGTH + LENGTH * (sum(given.values()) / QUESTION_TERMS + sum(answer.values()) / ANSWER_TERMS) / 2
    found = covered = 0.0
    for term, count in wanted.items():
        there, heavy = _frequency(term, given, answer), weight(term) * min(1, count)
        found += heavy * there * (SATURATION + 1) / (there + SATURATION * length)
        covered += heavy * min(1, there)
    used = sum(weight(term) for term in given if _is_asked_for(term, wanted))
    fit = (1 - BREADTH + BREADTH * used / offered) * (1 - COVERAGE + COVERAGE * covered / asked)
    reversed_ = REVERSED if (NEGATION in wanted) != (NEGATION in given) else 1.0
    return min(1.0, found / asked * fit * reversed_)


def likeness(one: Terms, other: Terms, weight: Weight) -> float:
    """Return how alike two questions are, from 0 to 1: neither asks for much that the other one does not."""
    return min(score(one, other, weight), score(other, one, weight))


def share_of(terms: Terms, weight: Weight, *, within: Terms) -> float:
    """Return what share of a question's terms, by weight, another question has as well; what is near counts in part."""
    total = sum(weight(term) for term in terms)
    return sum(weight(term) * _presence(term, within) for term in terms) / total if total else 0.0


def _presence(term: str, given: Terms) -> float:
    near = lexicon().near.get(term, NOTHING)
    return 1.0 if term in given else max((share for other, share in near.items() if other in given), default=0.0)


def _frequency(term: str, given: Terms, answer: Terms) -> float:
    """Return how often a term is there, or else what is nearest to it."""
    if there := given.get(term, 0) + ANSWER * answer.get(term, 0):
        return there
    near = lexicon().near.get(term, NOTHING)
    shares = (share * NEAR_SHARE * ((other in given) + ANSWER * (other in answer)) for other, share in near.items())
    return max(shares, default=0.0)


def _is_asked_for(term: str, wanted: Terms) -> bool:
    near = lexicon().near
    return term in wanted or any(term in near[other] for other in wanted if other in near)
