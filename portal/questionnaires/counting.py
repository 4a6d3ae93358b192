"""How many questionnaires there are of each status: what the tabs, the board and the bulk bar say."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from portal.live.services import kept
from portal.questionnaires.filters import QuestionnaireFilters
from portal.questionnaires.models import Questionnaire

MOST_COUNTED = 1000
"""Matches of a search or a filter. Beyond that nobody needs the number, and counting is what makes many rows slow."""


@dataclass(frozen=True)
class Numbers:
    """The numbers by status; only the statuses that may be there when there are too many to count."""

    by_status: Mapping[str, int]
    is_counted: bool = True

    def of(self, statuses: Iterable[str]) -> int | None:
        """The number of questionnaires in these statuses; None when it was not counted."""
        return sum(self.by_status[status] for status in statuses) if self.is_counted else None


def all_numbers() -> Numbers:
    """Count every questionnaire that is there."""
    return Numbers(kept("questionnaires", "statuses", _count_all))


def numbers_of(filters: QuestionnaireFilters, *, now: datetime) -> Numbers:
    """Count what the filters show, whatever the stage."""
    if not filters.is_narrowed:
        return all_numbers()
    rows = filters.narrow(Questionnaire.objects.present(), now=now).order_by()
    statuses = list(rows.values_list("status", flat=True)[: MOST_COUNTED + 1])
    if len(statuses) > MOST_COUNTED:
        return Numbers(all_numbers().by_status, is_counted=False)
    return Numbers(Counter(statuses))


def _count_all() -> dict[str, int]:
    rows = Questionnaire.objects.present().order_by().values("status").annotate(number=Count("id"))
    return {row["status"]: row["number"] for row in rows}
