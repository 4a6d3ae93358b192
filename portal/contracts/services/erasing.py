"""Mail addresses in the text of contracts and in notes: found, and taken out of them when a deletion request asks for it.

The contract is not about that person alone, so that its text stays without the address.
"""

import re
from collections.abc import Iterator, Sequence

from django.db.models import Model, Q, QuerySet

from portal.contracts.models import ContractPage, Terms
from portal.contracts.services.storing import AREA
from portal.live.services import changed
from portal.platform_api.errors import EMAIL
from portal.tenants.personal_data import fold, register_holding

BATCH = 200
ERASED = "[erased]"
NOTED = ("notes", "governed_by_words")
READ = ("text",)


def _alone(email: str) -> re.Pattern[str]:
    """An address, but not as a part of a longer one, which is somebody else's. A line of a PDF may break within it."""
    letters = r"\s*".join(re.escape(letter) for letter in fold(email))
    return re.compile(rf"(?<![\w.+%-]){letters}(?![\w-]|\.\w)", re.IGNORECASE)


def pages_with(email: str) -> "QuerySet[ContractPage]":
    # A page on which the address is broken over two lines has its two halves; the part before the at is rarely broken.
    candidates = ContractPage.objects.having([fold(email).partition("@")[0]])
    return ContractPage.objects.filter(pk__in=_those_with(candidates, READ, email))


def terms_with(email: str) -> "QuerySet[Terms]":
    noted = Q(notes__icontains="@") | Q(governed_by_words__icontains="@")
    return Terms.objects.filter(pk__in=_those_with(Terms.objects.filter(noted), NOTED, email))


def _those_with(rows: "QuerySet[Model]", columns: Sequence[str], email: str) -> list[int]:
    alone = _alone(email)
    return [key for key, text in _texts(rows, columns) if alone.search(text)]


def cut_pages(rows: "QuerySet[ContractPage]", email: str) -> None:
    _cut(rows, READ, email)
    for page in rows:
        # What is searched goes with it, and the index behind it.
        page.search = page.text.casefold()
        page.save(update_fields=["search"])


def cut_terms(rows: "QuerySet[Terms]", email: str) -> None:
    _cut(rows, NOTED, email)


def _cut(rows: "QuerySet[Model]", columns: Sequence[str], email: str) -> None:
    alone = _alone(email)
    for row in rows:
        for column in columns:
            setattr(row, column, alone.sub(ERASED, getattr(row, column)))
        row.save(update_fields=list(columns))
    changed(AREA)


def addresses_in(rows: "QuerySet[Model]", columns: Sequence[str]) -> Iterator[str]:
    """Walk every address that stands in these columns."""
    seen: set[str] = set()
    for _, text in _texts(rows, columns):
        for found in EMAIL.findall(text):
            if fold(found) not in seen:
                seen.add(fold(found))
                yield fold(found)


def _texts(rows: "QuerySet[Model]", columns: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Walk the rows in batches: key and all words."""
    last, rows = 0, rows.order_by("pk")
    while batch := list(rows.filter(pk__gt=last).values_list("pk", *columns)[:BATCH]):
        for key, *words in batch:
            yield key, "\n".join(words)
        last = batch[-1][0]


def register_personal_data() -> None:
    register_holding(
        "Text of contracts",
        rows=pages_with,
        erase=cut_pages,
        addresses=lambda: addresses_in(ContractPage.objects.filter(search__contains="@"), READ),
        keeps_rows=True,
    )
    register_holding(
        "Notes on contracts",
        rows=terms_with,
        erase=cut_terms,
        addresses=lambda: addresses_in(Terms.objects.all(), NOTED),
        keeps_rows=True,
    )
