"""What the address of a list says: its stage, search, filters and order. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self
from urllib.parse import urlencode

from portal.accounts.merged_accounts import ids_of_customer
from portal.lib.storable import storable_text
from portal.questionnaires.models import KINDS, LISTS, Priority, Questionnaire, QuestionnaireQuerySet, ResponseQuerySet
from portal.questionnaires.stages import STAGE_BY_KEY

OPEN, ALL = "open", "all"
DUES = {"overdue": "Overdue", "week": "Due this week", "none": "No due date"}
PRIORITIES = {priority.name.lower(): priority for priority in reversed(Priority)}
SORTS = {"due": ("due_sort", "id"), "updated": ("-updated_at", "-id")}
MAX_SEARCH_LENGTH = 200
NOBODY = "nobody"
BOARD = "board"
"""The other way to look at the same questionnaires: a column per stage."""


@dataclass(frozen=True, kw_only=True)
class QuestionnaireFilters:
    """Which questionnaires a page shows."""

    stage: str = OPEN
    q: str = ""
    owner: str = ""
    account: str = ""
    """Those of one customer, chosen on its page."""
    due: str = ""
    kind: str = ""
    priority: str = ""
    sort: str = ""
    view: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        stage, kind = query.get("stage", ""), query.get("kind", "")
        return cls(
            stage=stage if stage in (ALL, *STAGE_BY_KEY) else OPEN,
            q=text(query.get("q", "")),
            owner=text(query.get("owner", "")),
            account=text(query.get("account", "")),
            due=query.get("due", "") if query.get("due") in DUES else "",
            kind=kind if kind in KINDS else "",
            priority=query.get("priority", "") if query.get("priority") in PRIORITIES else "",
            sort=query.get("sort", "") if query.get("sort") in SORTS else "",
            view=BOARD if query.get("view") == BOARD else "",
        )

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

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.owner or self.account or self.due or self.kind or self.priority)

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
        return rows.matching(self.q).due(self.due, now=now)

    def in_stage(self, rows: QuestionnaireQuerySet) -> QuestionnaireQuerySet:
        if self.stage == ALL:
            return rows
        return rows.open() if self.stage == OPEN else rows.in_stage(self.stage)

    def rows(self, *, now: datetime) -> QuestionnaireQuerySet:
        """Give exactly the questionnaires that these filters show."""
        return self.in_stage(self.narrow(Questionnaire.objects.present(), now=now))

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        changed = replace(self, **changes)
        default = type(self)()
        values = {name: getattr(changed, name) for name in self.__dataclass_fields__}
        return "?" + urlencode({name: value for name, value in values.items() if value != getattr(default, name)})


@dataclass(frozen=True, kw_only=True)
class ResponseFilters:
    """Which questions of a questionnaire the list beside the answer shows."""

    show: str = ""
    q: str = ""
    owner: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        show = query.get("show", "")
        return cls(
            show=show if show in (*LISTS, "mine") else "", q=text(query.get("q", "")), owner=text(query.get("owner", ""))
        )

    def narrow(self, rows: ResponseQuerySet, *, me: str) -> ResponseQuerySet:
        if self.owner:
            rows = rows.filter(owner_id="" if self.owner == NOBODY else self.owner)
        rows = rows.matching(self.q)
        return rows.of_person(me) if self.show == "mine" else rows.shown_as(self.show)

    def query(self, **changes: str) -> str:
        changed = replace(self, **changes)
        return "?" + urlencode({name: value for name in self.__dataclass_fields__ if (value := getattr(changed, name))})

    @property
    def suffix(self) -> str:
        """These filters at the end of another address; nothing when there are none."""
        query = self.query()
        return query if len(query) > 1 else ""


def text(value: str) -> str:
    return storable_text(value.strip())[:MAX_SEARCH_LENGTH]
