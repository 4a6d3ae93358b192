"""The filters of the desk's lists."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from portal.engagements.models import (
    Engagement,
    EngagementPart,
    EngagementPartQuerySet,
    EngagementQuerySet,
    EvidenceItem,
    EvidenceItemQuerySet,
    InformationRequest,
    InformationRequestQuerySet,
    PartKind,
)
from portal.engagements.models.choices import EVIDENCE_STATUSES, REQUEST_STATUSES
from portal.engagements.models.engagements import MAX_NAME_LENGTH, MAX_WORD_LENGTH
from portal.engagements.organization import LISTS
from portal.lib.counts import count_together
from portal.lib.platform_choices import labels_of
from portal.ui.list_filters import ListFilters, choice, text

OPEN, COMPLETED, ALL = "", "completed", "all"
TABS = {OPEN: "Open", COMPLETED: "Completed", ALL: "All"}
ORDERS = {"": "By end of window", "customer": "By customer"}
BY_END = ("ends_sort", "id")
SORTS: dict[str, tuple[str, ...]] = {"": BY_END, "customer": ("customer_sort", "id")}
IN_ITS_ORDER = ("position", "id")
MAX_OPTIONS = 200


@dataclass(frozen=True, kw_only=True)
class EngagementFilters(ListFilters):
    """Which audits a page shows, and in which order."""

    q: str = text()
    tab: str = choice(TABS, narrows=False)
    framework: str = text(max_length=MAX_NAME_LENGTH, label="Framework", options={"": "Any framework"})
    sort: str = choice(ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, ...]:
        return SORTS[self.sort]

    def rows(self) -> EngagementQuerySet:
        """Give exactly the audits that these filters show."""
        rows: EngagementQuerySet = Engagement.objects.open() if self.tab == OPEN else Engagement.objects.present()
        if self.tab == COMPLETED:
            rows = rows.filter(completed_at__isnull=False)
        if self.framework:
            rows = rows.filter(framework=self.framework)
        return rows.matching(self.q)

    def counted_tabs(self) -> list[dict[str, Any]]:
        """Return the tabs, each with the number of its rows while every other filter is in force."""
        return self.tabs(TABS, count_together({key: replace(self, tab=key).rows() for key in TABS}))

    def more_options(self, name: str) -> Mapping[str, str]:
        if name != "framework":
            return {}
        names = Engagement.objects.present().order_by("framework").values_list("framework", flat=True).distinct()
        return {each: each for each in dict.fromkeys([*names[:MAX_OPTIONS], self.framework]) if each}


@dataclass(frozen=True, kw_only=True)
class OfAuditFilters(ListFilters):
    """What of one audit a page shows."""

    q: str = text()
    status: str = text(max_length=MAX_WORD_LENGTH, label="Status", options={"": "Any status"})


@dataclass(frozen=True, kw_only=True)
class RequestFilters(OfAuditFilters):
    """Which information requests of an audit a page shows."""

    def rows(self, engagement: Engagement) -> InformationRequestQuerySet:
        rows: InformationRequestQuerySet = InformationRequest.objects.present().filter(engagement=engagement)
        rows = rows.filter(status=self.status) if self.status else rows
        return rows.matching(self.q)

    def more_options(self, name: str) -> Mapping[str, str]:
        return labels_of(REQUEST_STATUSES, [self.status]) if name == "status" else {}


@dataclass(frozen=True, kw_only=True)
class EvidenceFilters(OfAuditFilters):
    """Which evidence of an audit a page shows."""

    def rows(self, engagement: Engagement) -> EvidenceItemQuerySet:
        rows: EvidenceItemQuerySet = EvidenceItem.objects.present().filter(engagement=engagement)
        rows = rows.filter(status=self.status) if self.status else rows
        return rows.matching(self.q)

    def more_options(self, name: str) -> Mapping[str, str]:
        return labels_of(EVIDENCE_STATUSES, [self.status]) if name == "status" else {}


@dataclass(frozen=True, kw_only=True)
class OrganizationFilters(ListFilters):
    """Which list of the audited organization a page shows, and what of it."""

    q: str = text()
    list: str = choice(
        {kind.value: f"{each.label} (older audits)" if each.is_legacy else each.label for kind, each in LISTS.items()},
        default=PartKind.INFORMATION.value,
        label="List",
        narrows=False,
    )

    @property
    def kind(self) -> PartKind:
        return PartKind(self.list)

    def rows(self, engagement: Engagement) -> EngagementPartQuerySet:
        rows: EngagementPartQuerySet = EngagementPart.objects.of(engagement, self.kind)
        return rows.matching(self.q)
