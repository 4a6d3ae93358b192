"""The filters of the list of deletion requests: its tab and the person it is about.

The person stands there as the keyed hash: the mail address itself never gets into an address of a page, which logs,
histories and proxies keep.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import timezone

from portal.deletion_requests.models import DeletionRequest, DeletionRequestQuerySet, State
from portal.lib.counts import count_together
from portal.page_refresh.services import cached_by_version
from portal.ui.list_filters import ListFilters, choice, text

HASH = re.compile(r"[0-9a-f]{64}")
NEWEST, BY_DEADLINE = ("-id",), ("deadline_on", "id")

type Rows = DeletionRequestQuerySet


@dataclass(frozen=True)
class Tab:
    """One part of the ledger, and how it is sorted: what is open by its last day, the rest by its age."""

    label: str
    rows: Callable[[Rows, date], Rows]
    order_by: tuple[str, ...] = NEWEST


TABS = {
    "": Tab("All", lambda rows, today: rows),
    "open": Tab("Open", lambda rows, today: rows.open(), BY_DEADLINE),
    "overdue": Tab("Overdue", lambda rows, today: rows.overdue(today), BY_DEADLINE),
    "soon": Tab("Due soon", lambda rows, today: rows.due_soon(today), BY_DEADLINE),
    "received": Tab("To check", lambda rows, today: rows.filter(state=State.RECEIVED), BY_DEADLINE),
    "attention": Tab("Needs attention", lambda rows, today: rows.needing_attention(today), BY_DEADLINE),
    "erased": Tab("Erased", lambda rows, today: rows.filter(state=State.ERASED)),
    "closed": Tab("Closed", lambda rows, today: rows.filter(state=State.CLOSED)),
}


TAB_LABELS = {key: tab.label for key, tab in TABS.items()}


def hash_or_nothing(value: str) -> str:
    return value if HASH.fullmatch(value) else ""


@dataclass(frozen=True, kw_only=True)
class LedgerFilters(ListFilters):
    """Which requests a page shows."""

    tab: str = choice(TABS, narrows=False)
    person: str = text(clean=hash_or_nothing)

    @property
    def order_by(self) -> tuple[str, ...]:
        return TABS[self.tab].order_by

    def of_person(self, rows: Rows) -> Rows:
        return rows.filter(email_hash=self.person) if self.person else rows

    def in_tab(self, rows: Rows) -> Rows:
        return TABS[self.tab].rows(rows, timezone.localdate())

    def counted_tabs(self) -> list[dict[str, Any]]:
        """The tabs with their counts, for the chosen person."""
        rows, today = self.of_person(DeletionRequest.objects.order_by()), timezone.localdate()
        parts = {key: tab.rows(rows, today) for key, tab in TABS.items()}
        kept = f"tabs:{today}:{self.person}"
        return self.tabs(TAB_LABELS, cached_by_version("deletion_requests", kept, lambda: count_together(parts)))
