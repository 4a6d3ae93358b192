"""The filters of the desk's lists."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from portal.lib.platform_choices import labels_of, readable
from portal.page_refresh.services import cached_by_version
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.risks.kinds import AREA
from portal.risks.models import (
    NO_OWNER,
    REVIEWS,
    SEVERITIES,
    SOURCES,
    STATUSES,
    Issue,
    IssueOwner,
    IssueQuerySet,
    OwnerOfIssue,
    RiskScenario,
    RiskScenarioQuerySet,
)
from portal.risks.models.choices import MAX_WORD_LENGTH, TEAM
from portal.risks.models.issues import MAX_NAME_LENGTH
from portal.trust_center.models import Control, ControlQuerySet
from portal.ui.list_filters import ListFilters, choice, text

OPEN, OVERDUE, CLOSED, ALL, ARCHIVED = "", "overdue", "closed", "all", "archived"
ISSUE_TABS = {OPEN: "Open", OVERDUE: "Overdue", CLOSED: "Closed", ALL: "All"}
SCENARIO_TABS = {OPEN: "Active", ARCHIVED: "Archived", ALL: "All"}
ISSUE_ORDERS = {"": "Due first", "severity": "Most severe first", "detected": "Newest first"}
BY_DUE_DATE = ("due_sort", "id")
ISSUE_SORTS = {"": BY_DUE_DATE, "severity": ("severity_rank", "id"), "detected": ("-detected_at", "-id")}
SCENARIO_ORDERS = {"": "Highest score first", "residual": "Highest residual score first", "title": "By description"}
BY_TITLE = ("title_sort", "id")
SCENARIO_SORTS = {"": ("-score", "-id"), "residual": ("-residual_score", "-id"), "title": BY_TITLE}
SCORES = {
    "15": ("Score 15 or more", 15, 2**31),
    "8": ("Score 8 to 14", 8, 14),
    "1": ("Score 1 to 7", 1, 7),
    "0": ("Not scored", 0, 0),
}
"""The API does not say from which score on the platform calls a risk high: the numbers themselves are offered."""
BY_NAME = ("name_sort", "id")
MAX_OPTIONS = 200


@dataclass(frozen=True, kw_only=True)
class IssueFilters(ListFilters):
    """Which issues a page shows, and in which order."""

    q: str = text()
    tab: str = choice(ISSUE_TABS, narrows=False)
    status: str = text(max_length=MAX_WORD_LENGTH, label="Status", options={"": "Any status"})
    severity: str = text(max_length=MAX_WORD_LENGTH, label="Severity", options={"": "Any severity"})
    source: str = text(max_length=MAX_WORD_LENGTH, label="Source", options={"": "Any source"})
    owner: str = text(max_length=MAX_ID_LENGTH, label="Owner", options={"": "Any owner"})
    sort: str = choice(ISSUE_ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, str]:
        return ISSUE_SORTS[self.sort]

    def rows(self) -> IssueQuerySet:
        """Give exactly the issues that these filters show."""
        return self.of_tab(self.tab).matching(self.q)

    def of_tab(self, tab: str) -> IssueQuerySet:
        """The same of one tab, without the search."""
        rows: IssueQuerySet = Issue.objects.present()
        for name in ("status", "severity", "source"):
            if value := getattr(self, name):
                rows = rows.filter(**{name: value})
        if self.owner:
            rows = rows.owned_by(self.owner)
        match tab:
            case "":
                return rows.open()
            case "overdue":
                return rows.overdue()
            case "closed":
                return rows.filter(is_open=False)
        return rows

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "status":
                return _with_seen(name, labels_of(STATUSES), self.status)
            case "severity":
                return _with_seen(name, labels_of(SEVERITIES), self.severity)
            case "source":
                return _with_seen(name, SOURCES, self.source)
            case "owner":
                found = cached_by_version(AREA, "owners", _owners)
                chosen = {self.owner: "Teammate"} if self.owner and self.owner not in found else {}
                return found | chosen if found or chosen else {}
        return {}


def _with_seen(column: str, known: Mapping[str, str], chosen: str) -> dict[str, str]:
    """Return the known values of a column of issues, and those that the platform has added."""
    seen = cached_by_version(AREA, f"issues:{column}", lambda: _seen(column))
    return {**known, **{each: readable(each) for each in [*seen, *filter(None, [chosen])] if each not in known}}


def _seen(column: str) -> list[str]:
    rows = Issue.objects.present().exclude(**{column: ""}).order_by(column).values_list(column, flat=True)
    return list(rows.distinct()[:MAX_OPTIONS])


def _owners() -> dict[str, str]:
    """Return who owns issues, by their ids; who has no name here is not offered."""
    owned = OwnerOfIssue.objects.exclude(owner_type=TEAM).values("owner_id")
    rows = IssueOwner.objects.filter(platform_id__in=owned).exclude(name="")[:MAX_OPTIONS]
    found = {row.platform_id: str(row) for row in rows}
    return {**found, NO_OWNER: "Unassigned"} if found else {}


@dataclass(frozen=True, kw_only=True)
class ScenarioFilters(ListFilters):
    """Which risk scenarios a page shows, and in which order."""

    q: str = text()
    tab: str = choice(SCENARIO_TABS, narrows=False)
    score: str = choice({"": "Any score", **{key: label for key, (label, *_) in SCORES.items()}}, label="Score")
    review: str = text(max_length=MAX_WORD_LENGTH, label="Review", options={"": "Any review"})
    treatment: str = text(max_length=MAX_WORD_LENGTH, label="Treatment", options={"": "Any treatment"})
    register: str = text(max_length=MAX_NAME_LENGTH, label="Register", options={"": "Any register"})
    owner: str = text(max_length=320, label="Owner", options={"": "Any owner"})
    sort: str = choice(SCENARIO_ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, str]:
        return SCENARIO_SORTS[self.sort]

    def rows(self) -> RiskScenarioQuerySet:
        """Give exactly the risk scenarios that these filters show."""
        return self.of_tab(self.tab).matching(self.q)

    def of_tab(self, tab: str) -> RiskScenarioQuerySet:
        """The same of one tab, without the search."""
        rows: RiskScenarioQuerySet = RiskScenario.objects.present()
        if tab != ALL:
            rows = rows.filter(is_archived=tab == ARCHIVED)
        if self.score:
            _, least, most = SCORES[self.score]
            rows = rows.filter(score__gte=least, score__lte=most)
        if self.review:
            rows = rows.filter(review_status=self.review)
        if self.treatment:
            rows = rows.filter(treatment=self.treatment)
        if self.register:
            rows = rows.filter(register=self.register)
        if self.owner:
            rows = rows.filter(folded_owner="" if self.owner == NO_OWNER else self.owner)
        return rows

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "review":
                return {each: readable(each) for each in self._seen("review_status", self.review)} | labels_of(REVIEWS)
            case "treatment":
                return {each: readable(each) for each in self._seen("treatment", self.treatment)}
            case "register":
                return {each: each for each in self._seen("register", self.register)}
            case "owner":
                chosen = "" if self.owner == NO_OWNER else self.owner
                found = {each: each for each in self._seen("folded_owner", chosen)}
                return {**found, NO_OWNER: "Unassigned"} if found else {}
        return {}

    def _seen(self, column: str, chosen: str) -> list[str]:
        """Return the values that a column has, the chosen one always."""
        rows = RiskScenario.objects.present().exclude(**{column: ""}).order_by(column).values_list(column, flat=True)
        seen = cached_by_version(AREA, f"scenarios:{column}", lambda: list(rows.distinct()[:MAX_OPTIONS]))
        return [*dict.fromkeys([*seen, *filter(None, [chosen])])]


@dataclass(frozen=True, kw_only=True)
class ChoiceFilters(ListFilters):
    """Which controls a page offers for a risk scenario."""

    q: str = text()

    def rows(self, scenario: RiskScenario) -> ControlQuerySet:
        """Give exactly the controls in use that the scenario has not, and that these filters show."""
        present: ControlQuerySet = Control.objects.present()
        linked = scenario.controls.values("control_id")
        return present.exclude(Q(platform_id__in=linked) | Q(external_id__in=linked)).matching(self.q)
