"""The filters of the list of inconsistent answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from portal.page_refresh.services import cached_by_version
from portal.questionnaires.answer_meaning import Severity
from portal.questionnaires.models import Drift
from portal.questionnaires.models.drift import DriftQuerySet
from portal.ui.list_filters import ListFilters, choice, text

TABS: Final = {"": "To settle", "correct": "To correct", "settled": "Settled"}
SHOWN: Final[Mapping[str, Callable[[], DriftQuerySet]]] = {
    "": lambda: Drift.objects.open(),
    "correct": lambda: Drift.objects.to_correct(),
    "settled": lambda: Drift.objects.dismissed(),
}
SEVERITIES: Final = {"": "Any difference", **{str(each.value): str(each.label) for each in Severity}}
ORDER: Final = ("severity", "-newest_at", "-id")


@dataclass(frozen=True, kw_only=True)
class DriftFilters(ListFilters):
    """Which questions a page shows, the most serious first."""

    show: str = choice(TABS, narrows=False)
    q: str = text()
    severity: str = choice(SEVERITIES, label="Difference")

    def rows(self) -> DriftQuerySet:
        return self._narrowed(self.show)

    def counted_tabs(self) -> list[dict[str, object]]:
        """Give the tabs, each with how many questions it has with the other filters in force."""

        def count() -> dict[str, int]:
            return {key: self._narrowed(key).count() for key in TABS}

        counts = cached_by_version("questionnaires", f"drift-tabs:{self.query(show='')}", count)
        return self.tabs(TABS, counts, name="show")

    def _narrowed(self, show: str) -> DriftQuerySet:
        rows = SHOWN[show]().matching(self.q)
        return rows.filter(severity=int(self.severity)) if self.severity else rows
