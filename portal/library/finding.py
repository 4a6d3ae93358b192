"""Which earlier wordings of questions are like a new one.

A search begins with the rarest terms of the question: of their postings come some dozens of candidates, which are then
ranked by all terms (`ranking`). So it costs the same whether a tenant was asked a thousand questions or a hundred thousand.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from django.db.models import Case, Count, F, FloatField, Sum, Value, When

from portal.lib.page_cache import cache
from portal.lib.text_keys import key_of
from portal.library.lexicon import lexicon
from portal.library.models import Posting, Wording
from portal.library.ranking import Weight, score
from portal.library.terms import terms_of
from portal.tenants.scope import current_tenant_id

CANDIDATES: Final = 80
MAX_POSTINGS: Final = 8000
"""So many postings are added up for one search."""
LEAST: Final = 0.25
"""What is less like shares a word, and nothing else."""
PLAIN_WORD: Final = 0.6
"""What a word outside of the lexicon weighs, where a concept weighs 1: most belong to the sentence, not to its subject."""
TYPICAL: Final = 50
"""One wording of so many has a term of which nothing more is known."""
KEPT_SECONDS: Final = 600


class Search:
    """A question that is looked for."""

    def __init__(self, question: str) -> None:
        self.key, self.terms = key_of(question), terms_of(question)
        near = lexicon().near
        shares = dict.fromkeys(self.terms.terms, 1.0)
        for term in self.terms.terms:
            for other, share in near.get(term, {}).items():
                shares[other] = max(shares.get(other, 0.0), share)
        self._numbers = _numbers(shares)
        self._weight = _weight(self._numbers)
        self._worth = {term: self._weight(term) * share for term, share in shares.items() if self._numbers[term]}

    def wordings(self) -> list[Wording]:
        """Return the wordings that share the most with the question, in no order."""
        return list(Wording.objects.filter(pk__in=_candidates(self._worth, self._numbers)))

    def score(self, wording: Wording, *, answer: frozenset[str] = frozenset()) -> float:
        """Return how like a wording is, from 0 to 1: 1 for the very same words; `answer` holds the terms of its answer."""
        return 1.0 if wording.key == self.key else score(self.terms, wording.terms, self._weight, answer=answer)


def like(question: str, *, most: int, besides: Collection[str] = ()) -> dict[str, float]:
    """Find the keys of wordings that are like a question, the most like first; `besides` are keys that nobody asks for."""
    search = Search(question)
    scores = {row.key: search.score(row) for row in search.wordings() if row.key not in besides}
    found = sorted((key for key in scores if scores[key] >= LEAST), key=lambda key: -scores[key])
    return {key: scores[key] for key in found[:most]}


def _candidates(worth: Mapping[str, float], numbers: Mapping[str, int]) -> list[int]:
    """Return the keys of the wordings that share the most with a question, by its rarest terms."""
    chosen, total = list[str](), 0
    for term in sorted(worth, key=lambda term: numbers[term]):
        if chosen and total + numbers[term] > MAX_POSTINGS:
            break
        chosen.append(term)
        total += numbers[term]
    if not chosen:
        return []
    share = Case(*(When(term=term, then=Value(worth[term])) for term in chosen), default=0.0, output_field=FloatField())
    rows = Posting.objects.filter(term__in=chosen).values(found=F("wording_id")).annotate(share=Sum(share))
    return [row["found"] for row in rows.order_by("-share", "-found")[:CANDIDATES]]


def _weight(numbers: Mapping[str, int]) -> Weight:
    """Return what a term weighs: the more, the fewer wordings have it. Of terms that nobody asked for nothing is counted."""
    total = cache.get_or_set(f"wordings:{current_tenant_id()}", Wording.objects.count, KEPT_SECONDS) or 0

    def weight(term: str) -> float:
        share = 1.0 if term.startswith("@") else PLAIN_WORD
        return share * math.log(1 + (total + 1) / (numbers[term] + 0.5) if term in numbers else 1 + TYPICAL)

    return weight


def _numbers(terms: Iterable[str]) -> Mapping[str, int]:
    """Return in how many wordings each term is; about right is good enough, so it is counted every ten minutes."""
    addresses = {f"postings:{current_tenant_id()}:{term}": term for term in terms}
    known: dict[str, int] = {addresses[address]: number for address, number in cache.get_many(addresses).items()}
    if missing := {term for term in addresses.values() if term not in known}:
        counted = Posting.objects.filter(term__in=missing).values_list("term").annotate(number=Count("pk"))
        fresh = dict.fromkeys(missing, 0) | dict(counted)
        cache.set_many({f"postings:{current_tenant_id()}:{term}": number for term, number in fresh.items()}, KEPT_SECONDS)
        known |= fresh
    return known
