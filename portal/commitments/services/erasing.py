"""Addresses in promises and in the words of contracts: found and taken out when a deletion request asks for it.

The promise itself stays: it is the company's, and only the address in it is the person's.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Q

from portal.commitments.models import Commitment, Suggestion
from portal.commitments.selectors import AREA
from portal.commitments.services.registering import searched
from portal.live.services import changed
from portal.platform_api.errors import EMAIL
from portal.tenants.personal_data import Rows, fold, register_holding

type Kind = type[Commitment] | type[Suggestion]
ERASED = "[erased]"
BATCH = 500
COLUMNS: dict[Kind, tuple[str, ...]] = {
    Commitment: ("notify", "quote"),
    Suggestion: ("quote",),
}
"""Texts that can hold an address; into the others the forms let none. `search` repeats them, and is written anew."""


def alone(email: str) -> re.Pattern[str]:
    """Match an address where it is not a part of a longer one, which is somebody else's."""
    return re.compile(rf"(?<![\w.+%-]){re.escape(fold(email))}(?![\w-]|\.\w)", re.IGNORECASE)


def mentioning(kind: Kind) -> Callable[[str], Rows]:
    def rows(email: str) -> Rows:
        pattern = alone(email)
        return kind._default_manager.filter(pk__in=[key for key, texts in _texts(kind) if any(map(pattern.search, texts))])

    return rows


def erasing(kind: Kind) -> Callable[[Any, str], None]:
    def erase(rows: Any, email: str) -> None:
        """Take one address out of these rows; those of others stay."""
        pattern = alone(email)
        for row in rows.order_by("pk"):
            for column in COLUMNS[kind]:
                setattr(row, column, pattern.sub(ERASED, getattr(row, column)))
            if isinstance(row, Commitment):
                row.search = searched(row)
            row.save()
        changed(AREA)

    return erase


def addresses(kind: Kind) -> Callable[[], Iterator[str]]:
    def walk() -> Iterator[str]:
        seen: set[str] = set()
        for _, texts in _texts(kind):
            for found in EMAIL.findall(fold(" ".join(texts))):
                address = found.strip(".")
                if address not in seen:
                    seen.add(address)
                    yield address

    return walk


def _texts(kind: Kind) -> Iterator[tuple[int, list[str]]]:
    """Walk the rows with an address in one of their texts, in batches."""
    columns, last = COLUMNS[kind], 0
    has_address = Q()
    for column in columns:
        has_address |= Q(**{f"{column}__contains": "@"})
    rows = kind._default_manager.filter(has_address).order_by("pk")
    while batch := list(rows.filter(pk__gt=last).values_list("pk", *columns)[:BATCH]):
        for key, *texts in batch:
            yield key, [fold(text) for text in texts]
        last = batch[-1][0]


def register_personal_data() -> None:
    kinds: dict[str, Kind] = {"Commitments": Commitment, "Suggested commitments": Suggestion}
    for name, kind in kinds.items():
        register_holding(name, rows=mentioning(kind), erase=erasing(kind), addresses=addresses(kind), keeps_rows=True)
