"""Contracts found by the words of their documents, and the place where they stand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Case, Exists, Min, OuterRef, Value, When

from portal.contracts.models import Contract, ContractPage, ContractQuerySet
from portal.search.indexes import few

AROUND = 90
"""Letters on either side of the first hit."""


@dataclass(frozen=True)
class Piece:
    """A stretch of text, and whether it is what was searched for."""

    text: str
    is_hit: bool


@dataclass(frozen=True)
class Excerpt:
    """The first page of a contract that has the words, and the text around the first of them."""

    page: int
    pieces: Sequence[Piece]


def parts_of(words: str) -> list[str]:
    return words.casefold().split()


def having_text(rows: ContractQuerySet, words: str) -> ContractQuerySet:
    """Keep the contracts with a page on which all of the words stand."""
    parts = parts_of(words)
    keys = few(ContractPage._meta.db_table, parts)
    if keys is not None:
        pages = ContractPage.objects.filter(pk__in=keys)
        for part in parts:
            pages = pages.filter(search__contains=part)
        return rows.filter(pk__in=set(pages.order_by().values_list("contract_id", flat=True)))
    pages = ContractPage.objects.filter(contract=OuterRef("pk")).order_by()
    for part in parts:
        pages = pages.filter(search__contains=part)
    # Many pages have them: walking the contracts in the order of the list fills a page soon. In a CASE, so that no database
    # takes it for a join and reads all pages of all contracts first.
    return rows.filter(Case(When(Exists(pages), then=Value(True)), default=Value(False)))


def excerpts_of(contracts: Sequence[Contract], words: str) -> dict[int, Excerpt]:
    """Find the first page with the words in each of these contracts, by the key of the contract."""
    parts = parts_of(words)
    pages = ContractPage.objects.filter(contract__in=[contract.pk for contract in contracts]).order_by()
    for part in parts:
        pages = pages.filter(search__contains=part)
    first = dict(pages.values_list("contract_id").annotate(first=Min("number")))
    keys = pages.filter(number__in=set(first.values())).values_list("contract_id", "number", "text")
    return {key: Excerpt(number, excerpt(text, parts)) for key, number, text in keys if first.get(key) == number}


def excerpt(text: str, parts: Sequence[str]) -> list[Piece]:
    """The text around the first hit, in one line."""
    text = " ".join(text.split())
    found = _pattern(parts).search(text) if parts else None
    at = found.start() if found else 0
    start, end = max(at - AROUND, 0), at + AROUND
    cut = f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
    return marked(cut, parts)


def marked(text: str, parts: Sequence[str]) -> list[Piece]:
    """Take a text apart into what was searched for and what stands between."""
    if not parts:
        return [Piece(text, is_hit=False)]
    pieces, last = [], 0
    for found in _pattern(parts).finditer(text):
        pieces += [Piece(text[last : found.start()], is_hit=False), Piece(found[0], is_hit=True)]
        last = found.end()
    return [piece for piece in [*pieces, Piece(text[last:], is_hit=False)] if piece.text]


def _pattern(parts: Sequence[str]) -> re.Pattern[str]:
    # The longest first: of two that begin alike the whole word is marked.
    return re.compile("|".join(re.escape(part) for part in sorted(set(parts), key=len, reverse=True)), re.IGNORECASE)
