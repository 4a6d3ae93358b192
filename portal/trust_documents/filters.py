"""What the address of the matrix says: its search and filters. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self
from urllib.parse import urlencode

from portal.lib.storable import storable_text
from portal.trust_documents.models import CONTEXTS, Category, CategoryQuerySet, Use

MAX_SEARCH_LENGTH = 200
ORDER = ("name_sort", "id")
NOWHERE = "nowhere"
USES = {"": "Any use", **{key: f"Used in: {title}" for key, title in CONTEXTS.items()}, NOWHERE: "Used nowhere"}
PRESENCES = {"": "On the platform", "gone": "Gone from the platform"}


@dataclass(frozen=True, kw_only=True)
class MatrixFilters:
    """Which categories the matrix shows."""

    q: str = ""
    use: str = ""
    presence: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        use, presence = query.get("use", ""), query.get("presence", "")
        return cls(
            q=storable_text(query.get("q", "").strip())[:MAX_SEARCH_LENGTH],
            use=use if use in USES else "",
            presence=presence if presence in PRESENCES else "",
        )

    @property
    def is_narrowed(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def rows(self) -> CategoryQuerySet:
        """Give exactly the categories that these filters show."""
        rows: CategoryQuerySet = Category.objects.gone() if self.presence else Category.objects.present()
        if self.use == NOWHERE:
            rows = rows.exclude(pk__in=Use.objects.values("category"))
        elif self.use:
            rows = rows.filter(pk__in=Use.objects.filter(context=self.use).values("category"))
        return rows.matching(self.q)

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        changed = replace(self, **changes)
        query = urlencode({field.name: value for field in fields(self) if (value := getattr(changed, field.name))})
        return f"?{query}" if query else ""

    def selects(self) -> list[dict[str, Any]]:
        options = (("use", "Use", USES), ("presence", "Presence", PRESENCES))
        return [
            {"name": name, "label": label, "value": getattr(self, name), "options": [*labels.items()]}
            for name, label, labels in options
        ]
