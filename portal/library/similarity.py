"""Which earlier wordings of questions, and which entries, are like a new question.

A search begins with the rarest terms of the question: of their postings come some dozens of candidates, which are then
ranked by all terms (`ranking`). So it costs the same whether a tenant was asked a thousand questions or a hundred thousand.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Final

from django.db.models import Case, Count, F, FloatField, Sum, Value, When

from portal.lib.page_cache import cache
from portal.lib.text_keys import key_of
from portal.library.lexicon import NEGATION, lexicon
from portal.library.models import AnswerPosting, PassagePosting, Posting, Wording
from portal.library.ranking import NEAR_SHARE, NOTHING, SAME, likeness, score
from portal.library.terms import Terms, terms_of
from portal.tenants.scope import current_tenant_id

CANDIDATES: Final = 60
MAX_POSTINGS: Final = 4000
"""So many postings are added up for one search: twice as many take longer and find no more."""
MIN_SCORE: Final = 0.05
"""What is less like shares a word, and nothing else."""
WORTH_SHOWING: Final = 0.3
"""What people see without having looked for it: of four such entries, three are about the question."""
PLAIN_WORD: Final = 0.7
"""What a word outside of the lexicon weighs, where a concept weighs 1: most belong to the sentence, not to its subject."""
TYPICAL: Final = 50
"""One wording of so many has a term of which nothing more is known."""
KEPT_SECONDS: Final = 600


class Search:
    """A question that is looked for."""

    def __init__(self, question: str | Wording) -> None:
        if isinstance(question, Wording):
            self.key, self.terms = question.key, question.terms
        else:
            self.key, self.terms = key_of(question), terms_of(question)
        near = lexicon().near
        shares = {term: 1.0 for term in self.terms if term != NEGATION}
        for term in self.terms:
            for other, share in near.get(term, NOTHING).items():
                shares[other] = max(shares.get(other, 0.0), share * NEAR_SHARE)
        self._in_questions, self._in_answers = _numbers(Posting, shares), _numbers(AnswerPosting, shares)
        self._total = cache.get_or_set(f"wordings:{current_tenant_id()}", Wording.objects.count, KEPT_SECONDS) or 0
        self._weights = dict[str, float]()
        self._worth = {term: self.weight(term) * share for term, share in shares.items()}

    def weight(self, term: str) -> float:
        """Return what a term weighs: the more, the fewer texts have it. Of terms that nobody asks for nothing is counted."""
        if term not in self._weights:
            self._weights[term] = self._weigh(term)
        return self._weights[term]

    def _weigh(self, term: str) -> float:
        if term == NEGATION:
            return 0.0
        known = max(self._in_questions.get(term, 0), self._in_answers.get(term, 0))
        rarity = (self._total + 1) / (known + 0.5) if term in self._in_questions else TYPICAL
        return (1.0 if term.startswith("@") else PLAIN_WORD) * math.log(1 + rarity)

    @cached_property
    def wordings(self) -> list[Wording]:
        """The wordings that share the most with the question, in no order."""
        keys = _candidates(Posting, "wording_id", self._worth, self._in_questions)
        return list(Wording.objects.filter(pk__in=keys))

    def answers(self) -> list[int]:
        """Return the keys of the entries whose answers share the most with the question."""
        return _candidates(AnswerPosting, "entry_id", self._worth, self._in_answers)

    def passages(self) -> list[int]:
        """Return the keys of the passages of documents that share the most with the question."""
        return _candidates(PassagePosting, "passage_id", self._worth, _numbers(PassagePosting, self._worth))

    def score_text(self, title: Terms, text: Terms) -> float:
        """Return how well a passage under a title fits, from 0 to 1. It counts as an answer does: nobody has asked for it."""
        return score(self.terms, title or text, self.weight, answer=text)

    def score(self, wording: Wording, *, answer: Terms = NOTHING) -> float:
        """Return how well a wording, with its answer, fits, from 0 to 1: 1 for the very same words."""
        return 1.0 if wording.key == self.key else score(self.terms, wording.terms, self.weight, answer=answer)

    def likeness(self, wording: Wording) -> float:
        """Return how alike the question and a wording are, from 0 to 1: 1 for the very same words."""
        return 1.0 if wording.key == self.key else likeness(self.terms, wording.terms, self.weight)

    def are_alike(self, one: Wording, other: Wording) -> bool:
        """Say whether two wordings ask for the same."""
        return one.key == other.key or likeness(one.terms, other.terms, self.weight) >= SAME


def like(search: Search, *, most: int, besides: Collection[str] = ()) -> dict[str, float]:
    """Find the keys of wordings that are like a question, the most like first; `besides` are keys that nobody asks for."""
    scores = {row.key: search.score(row) for row in search.wordings if row.key not in besides}
    found = sorted((key for key in scores if scores[key] >= MIN_SCORE), key=lambda key: -scores[key])
    return {key: scores[key] for key in found[:most]}


type Postings = type[Posting] | type[AnswerPosting] | type[PassagePosting]


def _candidates(kind: Postings, column: str, worth: Mapping[str, float], numbers: Mapping[str, int]) -> list[int]:
    """Return the keys of what shares the most with a question, by its rarest terms."""
    chosen, total = list[str](), 0
    for term in sorted((term for term in worth if numbers[term]), key=lambda term: numbers[term]):
        if chosen and total + numbers[term] > MAX_POSTINGS:
            break
        chosen.append(term)
        total += numbers[term]
    if not chosen:
        return []
    share = Case(*(When(term=term, then=Value(worth[term])) for term in chosen), default=0.0, output_field=FloatField())
    rows = kind._default_manager.filter(term__in=chosen).values(found=F(column)).annotate(share=Sum(share))
    return [row["found"] for row in rows.order_by("-share", "-found")[:CANDIDATES]]


def _numbers(kind: Postings, terms: Iterable[str]) -> Mapping[str, int]:
    """Return how many have each term; about right is good enough, so it is counted every ten minutes."""
    place = f"{kind._meta.model_name}:{current_tenant_id()}"
    addresses = {f"{place}:{term}": term for term in terms}
    known: dict[str, int] = {addresses[address]: number for address, number in cache.get_many(addresses).items()}
    if missing := {term for term in addresses.values() if term not in known}:
        counted = kind._default_manager.filter(term__in=missing).values_list("term").annotate(number=Count("pk"))
        fresh = dict(counted)
        # None is not kept: what was added a moment ago is found.
        cache.set_many({f"{place}:{term}": number for term, number in fresh.items()}, KEPT_SECONDS)
        known |= dict.fromkeys(missing, 0) | fresh
    return known
