"""The filters of the list of documents."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from portal.documents.kinds import AREA
from portal.documents.models import SOMEBODY, STATUSES, Document, DocumentQuerySet
from portal.page_refresh.services import cached_by_version
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.ui.list_filters import ListFilters, choice, text

LACKING, RENEWAL = "lacking", "renewal"
TABS = {"": "All", LACKING: "Needs evidence", RENEWAL: "Renewal due"}
ORDERS = {"": "By title", "renewal": "Next renewal first"}
SORTS = {"": ("title_sort", "id"), "renewal": ("renew_on", "id")}
NOBODY = "none"
"""Stands in the address for documents without an owner."""
MAX_OPTIONS = 200


@dataclass(frozen=True, kw_only=True)
class DocumentFilters(ListFilters):
    """Which documents a page shows, and in which order."""

    tab: str = choice(TABS, narrows=False)
    q: str = text()
    status: str = text(label="Status", options={"": "Any status"})
    owner: str = text(max_length=MAX_ID_LENGTH, label="Owner", options={"": "Any owner"})
    category: str = text(label="Category", options={"": "Any category"})
    sort: str = choice(ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.sort]

    def rows(self, today: date) -> DocumentQuerySet:
        """Give exactly the documents that these filters show on a day."""
        return self.of_tab(self.tab, today).matching(self.q)

    def of_tab(self, tab: str, today: date) -> DocumentQuerySet:
        """The same of one tab, without the search."""
        rows: DocumentQuerySet = Document.objects.present()
        if tab == LACKING:
            rows = rows.lacking()
        elif tab == RENEWAL:
            rows = rows.to_renew(today)
        if self.status:
            rows = rows.filter(status=self.status)
        if self.owner:
            rows = rows.filter(owner_id="" if self.owner == NOBODY else self.owner)
        if self.category:
            rows = rows.filter(category=self.category)
        return rows

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "status":
                more = [*cached_by_version(AREA, "statuses", lambda: _values("status")), self.status]
                return {each: each for each in dict.fromkeys([*STATUSES, *filter(None, more)])}
            case "category":
                more = [*cached_by_version(AREA, "categories", lambda: _values("category")), self.category]
                return {each: each for each in dict.fromkeys(filter(None, more))}
            case "owner":
                found = {NOBODY: "Unassigned", **cached_by_version(AREA, "owners", _owners)}
                return found if not self.owner or self.owner in found else found | {self.owner: SOMEBODY}
        return {}


def _values(column: str) -> list[str]:
    rows = Document.objects.present().exclude(**{column: ""}).order_by(column).values_list(column, flat=True)
    return list(rows.distinct()[:MAX_OPTIONS])


def _owners() -> dict[str, str]:
    """Return the owners by their ids, in the order of their names."""
    rows = Document.objects.present().exclude(owner_id="").order_by("owner_name", "owner_id")
    return {key: name or SOMEBODY for key, name in rows.values_list("owner_id", "owner_name").distinct()[:MAX_OPTIONS]}
