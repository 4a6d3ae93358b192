"""The board: a column per stage over the same filters as the list."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from portal.questionnaires.filters import ALL, OPEN, QuestionnaireFilters
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.stages import OTHER, STAGES, Stage, stage_of

MOST_CARDS = 50
"""In one column; the list shows the others."""
ALWAYS = ("new", "needs-input", "in-progress", "in-review")
"""Columns that stay when they are empty: the way that every questionnaire goes."""


@dataclass(frozen=True)
class Column:
    """One stage with its first cards."""

    stage: Stage
    count: int
    cards: list[Questionnaire]
    url: str
    """The list of all of them."""

    @property
    def more(self) -> int:
        return max(self.count - len(self.cards), 0)


def board(filters: QuestionnaireFilters, numbers: Mapping[str, int], *, now: datetime) -> list[Column]:
    """Draw the columns. `numbers`: how many questionnaires there are of each status that is there."""
    columns = [_column(stage, filters, numbers, now=now) for stage in (*STAGES, OTHER) if _is_shown(stage, filters)]
    return [column for column in columns if column.count or column.stage.key == filters.stage or column.stage.key in ALWAYS]


def _is_shown(stage: Stage, filters: QuestionnaireFilters) -> bool:
    return filters.stage in (ALL, stage.key) or (filters.stage == OPEN and stage.is_open)


def _column(stage: Stage, filters: QuestionnaireFilters, numbers: Mapping[str, int], *, now: datetime) -> Column:
    mine = {status: number for status, number in numbers.items() if stage_of(status) is stage}
    rows = filters.narrow(Questionnaire.objects.present(), now=now).defer("payload", "search").order_by("due_sort", "id")
    # A status at a time: the index hands each one over in this order, and no stage is sorted as a whole.
    cards = [card for status in mine for card in rows.filter(status=status)[:MOST_CARDS]]
    cards.sort(key=attrgetter("due_sort", "pk"))
    return Column(stage, sum(mine.values()), cards[:MOST_CARDS], filters.query(stage=stage.key, view=""))
