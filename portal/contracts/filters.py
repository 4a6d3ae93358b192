"""What the address of the list says: its search and order. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from portal.contracts.models import ContractQuerySet
from portal.lib.storable import storable_text

LONGEST_SEARCH = 200
SORTS = {"": ("Newest first", ("-created_at", "-id")), "executed": ("Last executed first", ("-executed_sort", "-id"))}


@dataclass(frozen=True, kw_only=True)
class ContractFilters:
    """Which contracts a page shows, and in which order."""

    q: str = ""
    sort: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        sort = query.get("sort", "")
        return cls(q=storable_text(query.get("q", "").strip())[:LONGEST_SEARCH], sort=sort if sort in SORTS else "")

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.sort][1]

    def narrow(self, rows: ContractQuerySet) -> ContractQuerySet:
        return rows.matching(self.q)

    def selects(self) -> list[dict[str, Any]]:
        options = [(key, label) for key, (label, _) in SORTS.items()]
        return [{"name": "sort", "label": "Order", "value": self.sort, "options": options}]
