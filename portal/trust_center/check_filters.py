"""The filters of the list of what there is to check."""

from collections.abc import Mapping
from dataclasses import dataclass

from portal.page_refresh.services import cached_by_version
from portal.trust_center.kinds import AREA
from portal.trust_center.models import Cause, ContentCheck, ContentCheckQuerySet
from portal.ui.list_filters import ListFilters, choice, text

DISMISSED = "dismissed"
TABS = {"": "To check", DISMISSED: "Dismissed"}
CAUSES = {"": "Any cause", **{each.value: str(each.label) for each in Cause}}
BY_DAY = ("due_on", "id")


@dataclass(frozen=True, kw_only=True)
class CheckFilters(ListFilters):
    """Which documents and FAQs a page shows, what has a day first."""

    show: str = choice(TABS, narrows=False)
    q: str = text()
    cause: str = choice(CAUSES, label="Cause")

    def rows(self) -> ContentCheckQuerySet:
        """Give exactly the checks that these filters show."""
        return self._narrowed(self.show)

    def counted_tabs(self, *, is_whole: bool) -> list[dict[str, object]]:
        """Give the tabs, each with how many it has with the other filters in force.

        That there is nothing to check is said only once everything was looked at (guarantee R3).
        """

        def count() -> Mapping[str, int]:
            return {key: self._narrowed(key).count() for key in TABS}

        counts = cached_by_version(AREA, f"check-tabs:{self.query(show='')}", count)
        return self.tabs(TABS, {**counts, "": counts[""] if counts[""] or is_whole else None}, name="show")

    def _narrowed(self, show: str) -> ContentCheckQuerySet:
        rows: ContentCheckQuerySet = ContentCheck.objects.dismissed() if show == DISMISSED else ContentCheck.objects.open()
        if self.cause:
            rows = rows.filter(cause=self.cause)
        return rows.matching(self.q)
