"""What the address of the ledger says: its tab and the person it is about. An unknown value means the default, never an error.

The person stands there as the keyed hash: the mail address itself never gets into an address of a page, which logs,
histories and proxies keep.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import Count, Q

from portal.deletion_requests.models import NEEDS_ATTENTION, OPEN, DeletionRequest, DeletionRequestQuerySet, State

HASH = re.compile(r"[0-9a-f]{64}")
ORDER_BY = ("-id",)
TABS = {
    "": ("All", Q()),
    "attention": ("Needs attention", Q(state__in=NEEDS_ATTENTION)),
    "open": ("Open", Q(state__in=OPEN)),
    "erased": ("Erased", Q(state=State.ERASED)),
    "closed": ("Closed", Q(state=State.CLOSED)),
}


@dataclass(frozen=True, kw_only=True)
class LedgerFilters:
    """Which requests a page shows."""

    tab: str = ""
    person: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        tab, person = query.get("tab", ""), query.get("person", "")
        return cls(tab=tab if tab in TABS else "", person=person if HASH.fullmatch(person) else "")

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        changed = replace(self, **changes)
        return "?" + urlencode({name: value for name, value in vars(changed).items() if value})

    def of_person(self, rows: DeletionRequestQuerySet) -> DeletionRequestQuerySet:
        return rows.filter(email_hash=self.person) if self.person else rows

    def in_tab(self, rows: DeletionRequestQuerySet) -> DeletionRequestQuerySet:
        return rows.filter(TABS[self.tab][1])

    def counted_tabs(self) -> list[dict[str, Any]]:
        """The tabs with their counts, for the chosen person."""
        counts = {key or "all": Count("id", filter=condition) for key, (_, condition) in TABS.items()}
        numbers = self.of_person(DeletionRequest.objects.order_by()).aggregate(**counts)
        return [
            {"label": label, "count": numbers[key or "all"], "url": self.query(tab=key), "is_current": key == self.tab}
            for key, (label, _) in TABS.items()
        ]
