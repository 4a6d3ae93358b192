"""The filters of the list of questionnaires, and of the questions beside an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.tags import MAX_KEY_LENGTH, tag_of_key
from portal.library.themes import theme_titles
from portal.page_refresh.services import cached_by_version
from portal.questionnaires.account_names import account_names
from portal.questionnaires.models import KINDS, LISTS, Priority, Questionnaire, QuestionnaireQuerySet, ResponseQuerySet
from portal.questionnaires.stages import STAGE_BY_KEY
from portal.questionnaires.tag_names import known_key, tag_options
from portal.ui.list_filters import ListFilters, choice, text

OPEN, ALL = "open", "all"
DUES = {"": "Due any time", "overdue": "Overdue", "week": "Due this week", "none": "No due date"}
PRIORITIES = {priority.name.lower(): priority for priority in reversed(Priority)}
PRIORITY_LABELS = {"": "Any priority", **{key: str(priority.label) for key, priority in PRIORITIES.items()}}
SORTS = {"due": ("due_sort", "id"), "updated": ("-updated_at", "-id")}
NOBODY = "nobody"
OWNERS = {"": "Any owner", NOBODY: "Unassigned"}
THEMES = {"": "Any theme"}
TAGS = {"": "Any tag"}
BOARD = "board"
"""The other way to look at the same questionnaires: a column per stage."""
MAX_OWNERS = MAX_TAGS = 200
"""A select with more entries than this helps nobody; the search finds the rest."""


@dataclass(frozen=True, kw_only=True)
class QuestionnaireFilters(ListFilters):
    """Which questionnaires a page shows."""

    q: str = text()
    stage: str = choice({OPEN: OPEN, ALL: ALL, **STAGE_BY_KEY}, default=OPEN, narrows=False)
    account: str = text(label="Customer", options={"": "Any customer"})
    """Those of one customer, chosen on its page."""
    owner: str = text(label="Owner", options=OWNERS)
    due: str = choice(DUES, label="Due")
    kind: str = choice({"": "Any type", **KINDS}, label="Type")
    priority: str = choice(PRIORITY_LABELS, label="Priority")
    tag: str = text(max_length=MAX_KEY_LENGTH, clean=known_key, label="Tag", options=TAGS)
    """The ids of a category and of one of its tags (`key_of_tag`)."""
    sort: str = choice({"": "", **SORTS}, narrows=False)
    view: str = choice({"": "", BOARD: BOARD}, narrows=False)

    @property
    def order(self) -> str:
        """Open work is sorted by what is due first, finished work by what ended last."""
        is_over = self.stage == ALL or (self.stage in STAGE_BY_KEY and not STAGE_BY_KEY[self.stage].is_open)
        return self.sort or ("updated" if is_over else "due")

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.order]

    @property
    def is_board(self) -> bool:
        return self.view == BOARD

    def narrow(self, rows: QuestionnaireQuerySet, *, now: datetime) -> QuestionnaireQuerySet:
        """Apply everything but the stage: the tabs count what the other filters leave."""
        if self.owner:
            rows = rows.filter(owner_id="" if self.owner == NOBODY else self.owner)
        if self.account:
            # Of a customer whose accounts were merged here, those of all of them.
            rows = rows.filter(account_id__in=ids_of_customer(self.account))
        if self.kind:
            rows = rows.filter(kind=self.kind)
        if self.priority:
            rows = rows.filter(priority=PRIORITIES[self.priority])
        if tag := tag_of_key(self.tag):
            rows = rows.tagged(tag)
        return rows.matching(self.q).due(self.due, now=now)

    def in_stage(self, rows: QuestionnaireQuerySet) -> QuestionnaireQuerySet:
        if self.stage == ALL:
            return rows
        return rows.open() if self.stage == OPEN else rows.in_stage(self.stage)

    def rows(self, *, now: datetime) -> QuestionnaireQuerySet:
        """Give exactly the questionnaires that these filters show."""
        return self.in_stage(self.narrow(Questionnaire.objects.present(), now=now))

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "owner":
                return cached_by_version("questionnaires", "owners", _all_owners)
            case "account" if self.account:
                return account_names([self.account])
            case "tag":
                return tag_options(self.tag, most=MAX_TAGS)
        return {}


@dataclass(frozen=True, kw_only=True)
class ResponseFilters(ListFilters):
    """Which questions of a questionnaire the list beside the answer shows."""

    q: str = text()
    show: str = choice({"": "", "mine": "mine", **LISTS}, narrows=False)
    owner: str = text(label="Owner", options=OWNERS)
    """The select names the people of one questionnaire: `selectors.response_owners`."""
    theme: str = text(clean=lambda key: key if key in theme_titles() else "", label="Theme", options=THEMES)
    """The select names the themes of one questionnaire: `selectors.response_themes`."""

    def narrow(self, rows: ResponseQuerySet, *, me: str) -> ResponseQuerySet:
        if self.owner:
            rows = rows.filter(owner_id="" if self.owner == NOBODY else self.owner)
        if self.theme:
            rows = rows.filter(theme=self.theme)
        rows = rows.matching(self.q)
        return rows.of_person(me) if self.show == "mine" else rows.shown_as(self.show)


def _all_owners() -> dict[str, str]:
    rows = Questionnaire.objects.present().exclude(owner_id="").order_by("owner_name").values_list("owner_id", "owner_name")
    return dict(rows.distinct()[:MAX_OWNERS])
