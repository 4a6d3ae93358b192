"""What the address of a list says: its tab, search and filters. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

from django.db.models import Count, Q

from portal.access_requests.models import (
    LEVELS,
    AccessRequest,
    AccessRequestQuerySet,
    Outcome,
    Viewer,
    ViewerQuerySet,
)
from portal.lib.storable import storable_text

ALL, PENDING = "all", "pending"
LONGEST_SEARCH = 200
OUTCOMES = {PENDING: Outcome.PENDING, "approved": Outcome.APPROVED, "denied": Outcome.DENIED}
WAITING_LONGEST, NEWEST = ("created_at", "id"), ("-updated_at", "-id")
NDAS = {
    "signed": Q(nda_satisfied_at__isnull=False),
    "pending": Q(nda_satisfied_at__isnull=True) & ~Q(nda_provider=""),
    "none": Q(nda_provider=""),
}


def text(value: str) -> str:
    return storable_text(value.strip())[:LONGEST_SEARCH]


@dataclass(frozen=True, kw_only=True)
class ListFilters:
    """The part that both lists of the desk have."""

    tab: str = ""
    q: str = ""

    default_tab: ClassVar[str] = ""
    labels: ClassVar[Mapping[str, str]] = {}

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        changed = replace(self, **changes)
        values = {field.name: getattr(changed, field.name) for field in fields(self)}
        if values["tab"] == self.default_tab:
            del values["tab"]
        query = urlencode({name: value for name, value in values.items() if value})
        return f"?{query}" if query else ""

    def tabs(self, counts: Mapping[str, int], *, path: str) -> list[dict[str, Any]]:
        """The tabs with their counts, each as a link to the list at a path."""
        return [
            {"label": label, "count": counts[key], "url": path + self.query(tab=key), "is_current": key == self.tab}
            for key, label in self.labels.items()
        ]


@dataclass(frozen=True, kw_only=True)
class RequestFilters(ListFilters):
    """Which access requests a page shows."""

    level: str = ""

    default_tab: ClassVar[str] = PENDING
    labels: ClassVar[Mapping[str, str]] = {
        PENDING: "Pending",
        "approved": "Approved",
        "denied": "Denied",
        ALL: "All",
    }

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        tab, level = query.get("tab", ""), query.get("level", "")
        return cls(
            tab=tab if tab in cls.labels else PENDING,
            q=text(query.get("q", "")),
            level=level if level in LEVELS else "",
        )

    @property
    def order_by(self) -> tuple[str, str]:
        """Who has waited longest comes first; what is decided is sorted by its latest change."""
        return WAITING_LONGEST if self.tab == PENDING else NEWEST

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.level)

    def narrow(self, rows: AccessRequestQuerySet) -> AccessRequestQuerySet:
        """Apply everything but the tab: the tabs count what the other filters leave."""
        rows = rows.matching(self.q)
        return rows.filter(access_level=self.level) if self.level else rows

    def in_tab(self, rows: AccessRequestQuerySet) -> AccessRequestQuerySet:
        return rows if self.tab == ALL else rows.filter(outcome=OUTCOMES[self.tab])

    def counted_tabs(self, *, path: str) -> list[dict[str, Any]]:
        rows = self.narrow(AccessRequest.objects.present())
        numbers = rows.aggregate(
            all=Count("id"), **{key: Count("id", filter=Q(outcome=outcome)) for key, outcome in OUTCOMES.items()}
        )
        return self.tabs(numbers, path=path)

    def selects(self) -> list[dict[str, Any]]:
        options = [("", "Any level"), *LEVELS.items()]
        return [{"name": "level", "label": "Level", "value": self.level, "options": options}]


@dataclass(frozen=True, kw_only=True)
class ViewerFilters(ListFilters):
    """Which viewers a page shows."""

    nda: str = ""

    default_tab: ClassVar[str] = "active"
    labels: ClassVar[Mapping[str, str]] = {
        "active": "Active",
        "expiring": "Expiring in 30 days",
        "expired": "Expired",
        ALL: "All",
    }
    order_by: ClassVar[tuple[str, str]] = ("expires_sort", "id")

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        tab, nda = query.get("tab", ""), query.get("nda", "")
        return cls(
            tab=tab if tab in cls.labels else cls.default_tab,
            q=text(query.get("q", "")),
            nda=nda if nda in NDAS else "",
        )

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.nda)

    def narrow(self, rows: ViewerQuerySet) -> ViewerQuerySet:
        return rows.matching(self.q).filter(NDAS[self.nda] if self.nda else Q())

    def in_tab(self, rows: ViewerQuerySet, *, now: datetime) -> ViewerQuerySet:
        match self.tab:
            case "active":
                return rows.active(now)
            case "expiring":
                return rows.expiring(now)
            case "expired":
                return rows.expired(now)
        return rows

    def counted_tabs(self, *, now: datetime, path: str) -> list[dict[str, Any]]:
        rows = self.narrow(Viewer.objects.present())
        return self.tabs({key: replace(self, tab=key).in_tab(rows, now=now).count() for key in self.labels}, path=path)

    def selects(self) -> list[dict[str, Any]]:
        options = [("", "Any NDA state"), ("signed", "NDA settled"), ("pending", "NDA pending"), ("none", "No NDA on record")]
        return [{"name": "nda", "label": "NDA", "value": self.nda, "options": options}]
