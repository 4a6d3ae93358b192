"""The text of one contract, some pages of it at a time, with what was searched for marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from portal.contracts.full_text import Piece, marked, parts_of
from portal.contracts.models import Contract, ContractPage

AT_ONCE = 50
MAX_HITS = 100


@dataclass(frozen=True)
class TextPage:
    """One page of the document; empty where nothing could be read on it."""

    number: int
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Text:
    """The pages that are shown, and where there is more."""

    pages: Sequence[TextPage]
    total: int
    hits: Sequence[int]
    """The pages that have all of the words, the first so many."""
    more_hits: int
    before: int | None
    after: int | None
    """A page of the stretch before, and of the one after."""


def text_of(contract: Contract, *, words: str = "", page: str = "") -> Text:
    """Give the stretch that a page is in; without one, where the words are first, else the beginning."""
    rows, parts = ContractPage.objects.filter(contract=contract).order_by("number"), parts_of(words)
    total, hits = rows.count(), list[int]()
    if parts:
        found = rows
        for part in parts:
            found = found.filter(search__contains=part)
        hits = list(found.values_list("number", flat=True))
    wanted = int(page[:6]) if page.isdecimal() else next(iter(hits), 1)
    first = (max(wanted, 1) - 1) // AT_ONCE * AT_ONCE + 1
    shown = rows.filter(number__gte=first, number__lt=first + AT_ONCE).values_list("number", "text")
    pages = [TextPage(number, marked(text.strip(), parts) if text.strip() else ()) for number, text in shown]
    last = rows.values_list("number", flat=True).last() or 0
    return Text(
        pages,
        total,
        hits[:MAX_HITS],
        more_hits=max(len(hits) - MAX_HITS, 0),
        before=first - 1 if first > 1 else None,
        after=first + AT_ONCE if first + AT_ONCE <= last else None,
    )
