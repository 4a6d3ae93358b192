"""The filters of the desk's list."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q

from portal.lib.counts import count_together
from portal.lib.platform_choices import labels_of
from portal.lib.platform_days import past
from portal.page_refresh.services import cached_by_version
from portal.ui.list_filters import ListFilters, choice, text
from portal.vendors.kinds import AREA
from portal.vendors.models import REVIEW_SOON, Vendor, VendorQuerySet
from portal.vendors.models.choices import ARCHIVED, DECISIONS, IN_PROCUREMENT, MANAGED, RISKS
from portal.vendors.models.vendors import MAX_NAME_LENGTH, MAX_WORD_LENGTH

TABS = {"": "All", "managed": "Managed", "procurement": "In procurement", "archived": "Archived"}
STATUS_OF = {"managed": MANAGED, "procurement": IN_PROCUREMENT, "archived": ARCHIVED}
REVIEWS = {"": "Any review", "overdue": "Review overdue", "soon": "Due in 30 days", "none": "No review planned"}
NO_DECISION = "none"
"""Stands in the address for vendors about which nothing was decided."""
ORDERS = {"": "By name", "review": "Next review first", "risk": "Highest risk first"}
BY_NAME = ("name_sort", "id")
SORTS: dict[str, tuple[str, ...]] = {
    "": BY_NAME,
    "review": ("review_due_sort", "id"),
    "risk": ("risk_sort", "name_sort", "id"),
}
MAX_OPTIONS, MAX_COMBINATIONS = 200, 2000


@dataclass(frozen=True, kw_only=True)
class VendorFilters(ListFilters):
    """Which vendors a page shows, and in which order."""

    q: str = text()
    tab: str = choice(TABS, narrows=False)
    risk: str = text(max_length=MAX_WORD_LENGTH, label="Risk", options={"": "Any risk"})
    category: str = text(max_length=MAX_NAME_LENGTH, label="Category", options={"": "Any category"})
    review: str = choice(REVIEWS, label="Next review")
    decision: str = text(max_length=MAX_WORD_LENGTH, label="Decision", options={"": "Any decision"})
    sort: str = choice(ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, ...]:
        return SORTS[self.sort]

    def rows(self, now: datetime) -> VendorQuerySet:
        """Give exactly the vendors that these filters show at a moment."""
        rows: VendorQuerySet = Vendor.objects.present()
        if self.tab:
            rows = rows.filter(status=STATUS_OF[self.tab])
        if self.risk:
            rows = rows.filter(inherent_risk=self.risk)
        if self.category:
            rows = rows.filter(category=self.category)
        if self.decision:
            rows = rows.filter(decision_status="" if self.decision == NO_DECISION else self.decision)
        return self._of_review(rows, now).matching(self.q)

    def _of_review(self, rows: VendorQuerySet, now: datetime) -> VendorQuerySet:
        match self.review:
            case "overdue":
                return rows.exclude(status=ARCHIVED).filter(past("review_due_sort", now))
            case "soon":
                soon = ~past("review_due_sort", now) & Q(review_due_sort__lte=now + REVIEW_SOON)
                return rows.exclude(status=ARCHIVED).filter(soon)
            case "none":
                return rows.filter(review_due_at=None)
        return rows

    def counted_tabs(self, now: datetime) -> list[dict[str, Any]]:
        """Return the tabs, each with the number of its rows while every other filter is in force."""

        def count() -> dict[str, int]:
            return count_together({key: replace(self, tab=key).rows(now) for key in TABS})

        return self.tabs(TABS, count() if self.is_narrowed else cached_by_version(AREA, "tabs", count))

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "risk":
                return labels_of(RISKS, [*words_in_use()["inherent_risk"], self.risk])
            case "category":
                return {each: each for each in dict.fromkeys([*words_in_use()["category"], self.category]) if each}
            case "decision":
                more = [*words_in_use()["decision_status"], self.decision]
                return {**labels_of(DECISIONS, [each for each in more if each != NO_DECISION]), NO_DECISION: "No decision"}
        return {}


def words_in_use() -> dict[str, list[str]]:
    """Return which words of the platform vendors have, by their column; read together, and once for as long as none changes."""

    def read() -> dict[str, list[str]]:
        columns = ("inherent_risk", "category", "decision_status")
        found = list(Vendor.objects.present().order_by(*columns).values_list(*columns).distinct()[:MAX_COMBINATIONS])
        return {column: sorted({row[at] for row in found})[:MAX_OPTIONS] for at, column in enumerate(columns)}

    return cached_by_version(AREA, "words", read)
