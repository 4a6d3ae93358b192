"""The filters of the list of access requests, and what the lists of the desk share."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.db.models import Count, Q

from portal.access_requests.models import LEVELS, AccessRequest, AccessRequestQuerySet, Outcome
from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.selectors import account_option, own_domains
from portal.lib.counts import count_together
from portal.page_refresh.services import area_version, cached_for_version
from portal.ui.list_filters import ListFilters, choice, text

ALL, PENDING, SENDING, ELSEWHERE = "all", "pending", "sending", "elsewhere"
OUTCOMES = {"approved": Outcome.APPROVED, "denied": Outcome.DENIED}
WAITING_LONGEST, NEWEST = ("created_at", "id"), ("-updated_at", "-id")
GROUPS = {"": "Not grouped", "person": "By person", "domain": "By domain"}
GROUPED = {"person": ("folded_email", "id"), "domain": ("domain", "id")}


TABS = {
    PENDING: "Pending",
    SENDING: "Sending",
    "approved": "Approved",
    "denied": "Denied",
    ELSEWHERE: "Decided elsewhere",
    ALL: "All",
}
LEVEL_LABELS = {"": "Any level", **LEVELS}


def tabs_of_checked(tabs: list[dict[str, Any]], unchecked: Mapping[str, int]) -> list[dict[str, Any]]:
    """Say on each tab whom it could not look at: finding nobody is then no count (R3)."""
    return [_checked(tab, unchecked[tab["key"]]) for tab in tabs]


def _checked(tab: dict[str, Any], unchecked: int) -> dict[str, Any]:
    found = tab["count"]
    shown = found if found or not unchecked else None
    remark = "" if not unchecked else "not checked" if shown is None else f"{unchecked} not checked"
    return tab | {"found": found, "unchecked": unchecked, "count": shown, "remark": remark}


@dataclass(frozen=True, kw_only=True)
class RequestFilters(ListFilters):
    """Which access requests a page shows."""

    tab: str = choice(TABS, default=PENDING, narrows=False)
    q: str = text()
    account: str = text(label="Customer", options={"": "Any customer"})
    """The requests of one customer, chosen on its page."""
    level: str = choice(LEVEL_LABELS, label="Level")
    group: str = choice(GROUPS, label="Grouping", narrows=False)

    @property
    def order_by(self) -> tuple[str, str]:
        """Who has waited longest comes first; what is decided is sorted by its latest change."""
        if self.group:
            return GROUPED[self.group]
        return WAITING_LONGEST if self.tab == PENDING else NEWEST

    def narrow(self, rows: AccessRequestQuerySet) -> AccessRequestQuerySet:
        """Apply everything but the tab: the tabs count what the other filters leave."""
        rows = rows.matching(self.q)
        if self.account:
            rows = rows.filter(domain__in=own_domains(ids_of_customer(self.account)))
        return rows.filter(access_level=self.level) if self.level else rows

    def in_tab(self, rows: AccessRequestQuerySet) -> AccessRequestQuerySet:
        match self.tab:
            case "all":
                return rows
            case "pending":
                return rows.waiting()
            case "sending":
                return rows.being_sent()
            case "elsewhere":
                return rows.decided_elsewhere()
        return rows.filter(outcome=OUTCOMES[self.tab])

    def rows(self) -> AccessRequestQuerySet:
        return self.in_tab(self.narrow(AccessRequest.objects.present()))

    def next_after(self, found: AccessRequest) -> AccessRequest | None:
        """Return the undecided request that follows this one among those that wait, or else the one that has waited longest."""
        rows = self.narrow(AccessRequest.objects.waiting()).exclude(pk=found.pk).order_by(*WAITING_LONGEST)
        later = Q(created_at__gt=found.created_at) | Q(created_at=found.created_at, id__gt=found.pk)
        return rows.filter(later).first() or rows.first()

    def counted_tabs(self, *, path: str) -> list[dict[str, Any]]:
        key = sha256(replace(self, tab=PENDING, group="").query().encode()).hexdigest()
        return self.tabs(
            TABS, cached_for_version(area_version("access_requests", "accounts"), f"tabs:{key}", self._counts), path=path
        )

    def _counts(self) -> dict[str, int]:
        rows = self.narrow(AccessRequest.objects.present())
        numbers = rows.aggregate(
            all=Count("id"), **{key: Count("id", filter=Q(outcome=outcome)) for key, outcome in OUTCOMES.items()}
        )
        others = {PENDING: rows.waiting(), SENDING: rows.being_sent(), ELSEWHERE: rows.decided_elsewhere()}
        return numbers | count_together(others)

    def more_options(self, name: str) -> Mapping[str, str]:
        return account_option(self.account) if name == "account" else {}
