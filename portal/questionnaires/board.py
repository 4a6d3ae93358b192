"""The board: a column per stage over the same filters as the list."""

from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from portal.questionnaires.counts import Numbers
from portal.questionnaires.filters import ALL, OPEN, QuestionnaireFilters
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.stages import OTHER, STAGES, Stage, stage_of

MAX_CARDS = 15
"""In one column: what is due next. The list shows the others."""
ALWAYS = ("new", "needs-input", "in-progress", "in-review")
"""Columns that stay when they are empty: the way that every questionnaire goes."""


@dataclass(frozen=True)
class Column:
    """One stage with its first cards."""

    stage: Stage
    count: int | None
    """None when there are too many to count."""
    cards: list[Questionnaire]
    has_more: bool
    url: str
    """The list of all of them."""

    @property
    def more(self) -> int | None:
        """How many the column does not show, where they were counted."""
        return None if self.count is None else self.count - len(self.cards)


def board(filters: QuestionnaireFilters, numbers: Numbers, *, now: datetime) -> list[Column]:
    """Draw the columns."""
    columns = [_column(stage, filters, numbers, now=now) for stage in (*STAGES, OTHER) if _is_shown(stage, filters)]
    return [column for column in columns if column.cards or column.stage.key == filters.stage or column.stage.key in ALWAYS]


def _is_shown(stage: Stage, filters: QuestionnaireFilters) -> bool:
    return filters.stage in (ALL, stage.key) or (filters.stage == OPEN and stage.is_open)


def _column(stage: Stage, filters: QuestionnaireFilters, numbers: Numbers, *, now: datetime) -> Column:
    mine = [status for status in numbers.by_status if stage_of(status) is stage]
    rows = filters.narrow(Questionnaire.objects.present(), now=now).defer("payload", "search").order_by("due_sort", "id")
    # A status at a time: the index hands each one over in this order, and no stage is sorted as a whole.
    cards = [card for status in mine for card in rows.filter(status=status)[: MAX_CARDS + 1]]
    cards.sort(key=attrgetter("due_sort", "pk"))
    is_full = len(cards) > MAX_CARDS
    return Column(stage, numbers.of(mine), cards[:MAX_CARDS], is_full, filters.link(stage=stage.key, view=""))
