"""How many questionnaires there are of each status, and how many questions of one: what tabs, board and bars say."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F

from portal.page_refresh.services import cached_by_version, cached_for_version, read_once
from portal.questionnaires.filters import QuestionnaireFilters
from portal.questionnaires.models import LISTS, Questionnaire, Response, Standing

MAX_COUNTED = 1000
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
    return Numbers(cached_by_version("questionnaires", "statuses", _count_all))


def numbers_of(filters: QuestionnaireFilters, *, now: datetime) -> Numbers:
    """Count what the filters show, whatever the stage."""
    if not filters.is_narrowed:
        return all_numbers()
    rows = filters.narrow(Questionnaire.objects.present(), now=now).order_by()
    statuses = list(rows.values_list("status", flat=True)[: MAX_COUNTED + 1])
    if len(statuses) > MAX_COUNTED:
        return Numbers(all_numbers().by_status, is_counted=False)
    return Numbers(Counter(statuses))


@dataclass(frozen=True)
class ResponseNumbers:
    """The numbers of one questionnaire's questions."""

    by_list: Mapping[str, int]
    """How many each list beside the answer shows; `all` of them."""
    by_standing: Mapping[str, int]
    owners: Sequence[tuple[str, str, int]]
    """Id, name and number of questions of each person who has some, by name."""
    by_theme: Mapping[str, int]

    def of_person(self, name: str) -> int:
        """How many questions belong to whoever bears a name, whatever its capitals."""
        return sum(number for _, owner, number in self.owners if name and owner.lower() == name.lower())


def response_numbers(questionnaire: Questionnaire) -> ResponseNumbers:
    """Count the questions of one questionnaire. Kept until it changes: five thousand are too many to count for each page."""
    # Read anew, once for each page: whoever has just written holds a row with the version of before.
    rows = Questionnaire.objects.filter(pk=questionnaire.pk).values_list("touched_at", flat=True)
    touched_at = read_once(f"questionnaire:{questionnaire.pk}:touched_at", rows.get)
    version = f"questionnaire:{questionnaire.pk}:{touched_at.timestamp()}"
    return cached_for_version(version, "numbers", lambda: _count_responses(questionnaire))


def _count_responses(questionnaire: Questionnaire) -> ResponseNumbers:
    rows = Response.objects.present().filter(questionnaire=questionnaire).order_by()
    lists = {key: Count("id", filter=condition) for key, condition in LISTS.items()}
    standings: Iterable[Mapping[str, Any]] = rows.reviewed().values(where=F("standing")).annotate(number=Count("pk"), **lists)
    by_standing, by_list = dict.fromkeys(Standing.values, 0), dict.fromkeys((*LISTS, "all"), 0)
    for row in standings:
        by_standing[row["where"]] = row["number"]
        by_list["all"] += row["number"]
        for key in LISTS:
            by_list[key] += row[key]
    owners = rows.exclude(owner_id="").values("owner_id", "owner_name").annotate(number=Count("pk")).order_by("owner_name")
    themes = dict(rows.values_list("theme").annotate(number=Count("pk")))
    return ResponseNumbers(by_list, by_standing, list(owners.values_list("owner_id", "owner_name", "number")), themes)


def _count_all() -> dict[str, int]:
    rows = Questionnaire.objects.present().order_by().values("status").annotate(number=Count("id"))
    return {row["status"]: row["number"] for row in rows}
