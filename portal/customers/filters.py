"""What the address of the list says: its search and filters. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self
from urllib.parse import urlencode

from portal.accounts.models import Account, AccountQuerySet, Nda
from portal.lib.storable import storable_text

LONGEST_SEARCH = 200
ORDER = ("name_sort", "id")
NDAS = {"": "Any NDA state", **{value.lower(): str(label) for value, label in Nda.choices}, "other": "Another NDA state"}
APPROVALS = {"": "Approved either way", "on": "Approved by itself", "off": "Approved by people"}
PRESENCES = {"": "On the platform", "gone": "Gone from the platform", "all": "Present and gone"}


@dataclass(frozen=True, kw_only=True)
class CustomerFilters:
    """Which customers a page shows."""

    q: str = ""
    nda: str = ""
    approval: str = ""
    presence: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        nda, approval, presence = (query.get(name, "") for name in ("nda", "approval", "presence"))
        return cls(
            q=storable_text(query.get("q", "").strip())[:LONGEST_SEARCH],
            nda=nda if nda in NDAS else "",
            approval=approval if approval in APPROVALS else "",
            presence=presence if presence in PRESENCES else "",
        )

    @property
    def is_narrowed(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def rows(self) -> AccountQuerySet:
        """Give exactly the customers that these filters show."""
        rows: AccountQuerySet = Account.objects.all()
        if self.presence != "all":
            rows = rows.gone() if self.presence else rows.present()
        if self.nda == "other":
            rows = rows.exclude(nda_status__in=Nda.values)
        elif self.nda:
            rows = rows.filter(nda_status=self.nda.upper())
        if self.approval:
            rows = rows.filter(approves_itself=self.approval == "on")
        return rows.matching(self.q)

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        changed = replace(self, **changes)
        query = urlencode({field.name: value for field in fields(self) if (value := getattr(changed, field.name))})
        return f"?{query}" if query else ""

    def selects(self) -> list[dict[str, Any]]:
        options = (("nda", "NDA", NDAS), ("approval", "Approval", APPROVALS), ("presence", "Presence", PRESENCES))
        return [
            {"name": name, "label": label, "value": getattr(self, name), "options": [*labels.items()]}
            for name, label, labels in options
        ]
