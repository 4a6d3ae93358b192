"""The filters of the list of incidents and of a plan."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from portal.incidents.models import Incident, IncidentQuerySet, Notice, NoticeQuerySet, State
from portal.page_refresh.services import cached_by_version
from portal.ui.list_filters import ListFilters, choice, text

ORDER = ("tell_by", "due_sort", "name_sort", "id")
"""The order in which customers are told: by the moment alone, whether a promise or our standard says it."""
NEWEST = ("-noticed_at", "-id")


@dataclass(frozen=True)
class Tab:
    """One part of a list."""

    label: str
    rows: Callable[[Any], Any]


LIST_TABS = {
    "": Tab("Open", lambda rows: rows.open()),
    "closed": Tab("Closed", lambda rows: rows.closed()),
    "all": Tab("All", lambda rows: rows),
}
PLAN_TABS = {
    "": Tab("Whole plan", lambda rows: rows.in_plan()),
    "to-tell": Tab("To notify", lambda rows: rows.to_tell()),
    "late": Tab("Late", lambda rows: rows.late(timezone.now())),
    "told": Tab("Notified", lambda rows: rows.in_plan().filter(state=State.TOLD)),
    "not-needed": Tab("Not needed", lambda rows: rows.in_plan().filter(state=State.NOT_NEEDED)),
    "left": Tab("No longer affected", lambda rows: rows.left()),
}


@dataclass(frozen=True, kw_only=True)
class IncidentFilters(ListFilters):
    """Which incidents the list shows."""

    tab: str = choice(LIST_TABS, narrows=False)
    q: str = text()

    def rows(self) -> IncidentQuerySet:
        rows: IncidentQuerySet = Incident.objects.all()
        found: IncidentQuerySet = LIST_TABS[self.tab].rows(rows.matching(self.q))
        return found

    def list_tabs(self) -> list[dict[str, Any]]:
        return self.tabs({key: tab.label for key, tab in LIST_TABS.items()})


@dataclass(frozen=True, kw_only=True)
class PlanFilters(ListFilters):
    """Which customers of a plan a page shows."""

    tab: str = choice(PLAN_TABS, narrows=False)
    q: str = text()

    def rows(self, incident: Incident) -> NoticeQuerySet:
        rows: NoticeQuerySet = Notice.objects.filter(incident=incident)
        found: NoticeQuerySet = PLAN_TABS[self.tab].rows(rows.matching(self.q))
        return found

    def plan_tabs(self, incident: Incident) -> list[dict[str, Any]]:
        """The tabs with their counts; of customers that went only where there are some."""
        counts = counts_of(incident)
        labels = {key: tab.label for key, tab in PLAN_TABS.items() if key != "left" or counts[key] or self.tab == key}
        return self.tabs(labels, counts)


def counts_of(incident: Incident) -> dict[str, int]:
    """Count the customers of each tab."""
    return cached_by_version("incidents", f"counts:{incident.pk}", lambda: _counts_of(incident))


def _counts_of(incident: Incident) -> dict[str, int]:
    here = Q(left_at=None)
    to_tell = here & Q(state=State.TO_TELL)
    conditions = {
        "": here,
        "to-tell": to_tell,
        "late": to_tell & Q(due_sort__lt=timezone.now()),
        "told": here & Q(state=State.TOLD),
        "not-needed": here & Q(state=State.NOT_NEEDED),
        "left": ~here,
    }
    names = {f"n{number}": Count("id", filter=condition) for number, condition in enumerate(conditions.values())}
    found = Notice.objects.filter(incident=incident).order_by().aggregate(**names)
    return dict(zip(conditions, found.values(), strict=True))
