"""Reads of the desk's pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse

from portal.audit.services import history
from portal.lib.counting import count_together
from portal.lib.unnamed import NO_NAME
from portal.page_refresh.services import cached_by_version
from portal.platform_api.identifiers import is_identifier
from portal.platform_api.models import risks as remote
from portal.risks.filters import ISSUE_TABS, SCENARIO_TABS, IssueFilters, ScenarioFilters
from portal.risks.kinds import AREA
from portal.risks.models import Issue, OwnerOfIssue, RiskControl, RiskScenario, names_of_owners
from portal.risks.models.choices import CONTROL_TYPES
from portal.trust_center.models import Control

ICONS = {
    "risk_scenario.add_control": ("plus", "good"),
    "risk_scenario.change_control": ("pencil", "info"),
    "risk_scenario.remove_control": ("minus", "warn"),
}
MAX_LINKED = 50
MAX_TYPES = 50


def issue_figures(filters: IssueFilters) -> dict[str, int]:
    """Count the issues of each tab, with every other filter; not with the search, which would read every row."""
    return count_together({tab: filters.of_tab(tab) for tab in ISSUE_TABS})


def scenario_figures(filters: ScenarioFilters) -> dict[str, int]:
    """Count the risk scenarios of each tab, with every other filter but the search."""
    return count_together({tab: filters.of_tab(tab) for tab in SCENARIO_TABS})


def owners_of(issues: Sequence[Issue]) -> dict[int, list[str]]:
    """Name the owners of each issue of a page."""
    return names_of_owners(OwnerOfIssue.objects.filter(issue__in=issues))


@dataclass(frozen=True)
class Linked:
    """Another object that one is linked to: what it is called, and its page, if it is known here."""

    name: str
    url: str = ""


def controls_named(ids: Iterable[str], slug: str) -> list[Linked]:
    """Name the controls that an issue is linked to."""
    wanted = [each for each in dict.fromkeys(ids) if is_identifier(each)][:MAX_LINKED]
    names = names_of_controls(wanted)
    return [Linked(names.get(each, NO_NAME), control_url(slug, each) if each in names else "") for each in wanted]


def names_of_controls(ids: Iterable[str]) -> dict[str, str]:
    """Name controls by their ids; one that is not in use, or was never read, has none here."""
    rows = Control.objects.filter(platform_id__in=list(ids)).only("platform_id", "name")
    return {row.platform_id: str(row) for row in rows}


def control_url(slug: str, control_id: str) -> str:
    """Return the page of a control, which is another desk's."""
    try:
        return reverse("controls:control", args=[slug, control_id])
    except NoReverseMatch:
        return ""


def scenarios_named(ids: Iterable[str], slug: str) -> list[Linked]:
    """Name the risk scenarios that an issue is linked to."""
    wanted = [each for each in dict.fromkeys(ids) if is_identifier(each)][:MAX_LINKED]
    rows = RiskScenario.objects.filter(platform_id__in=wanted).only("platform_id", "title", "risk_id")
    names = {row.platform_id: str(row) for row in rows}
    urls = {each: reverse("risks:scenario", args=[slug, each]) for each in names}
    return [Linked(names.get(each, NO_NAME), urls.get(each, "")) for each in wanted]


def issue_of(row: Issue) -> remote.Issue:
    """Read the rest of an issue out of what the platform sent."""
    return remote.Issue.read(row.payload)


def scenario_of(row: RiskScenario) -> remote.RiskScenario:
    """Read the rest of a risk scenario out of what the platform sent."""
    return remote.RiskScenario.read(row.payload)


@dataclass(frozen=True)
class ShownControl:
    """A control of a risk scenario as its page shows it."""

    row: RiskControl
    name: str
    url: str


def controls_of(scenario: RiskScenario, slug: str) -> list[ShownControl]:
    """Return the controls of a scenario by name."""
    rows = list(scenario.controls.all())
    names = names_of_controls(row.control_id for row in rows)
    shown = [
        ShownControl(
            row, names.get(row.control_id, NO_NAME), control_url(slug, row.control_id) if row.control_id in names else ""
        )
        for row in rows
    ]
    return sorted(shown, key=lambda each: (each.name.casefold(), each.row.pk))


def name_of_control(control_id: str) -> str:
    return names_of_controls([control_id]).get(control_id, NO_NAME)


def control_types() -> list[str]:
    """Return the types that can be chosen: the usual ones, and those that scenarios have."""
    rows = RiskControl.objects.exclude(control_type="").order_by("control_type").values_list("control_type", flat=True)
    seen = cached_by_version(AREA, "control_types", lambda: list(rows.distinct()[:MAX_TYPES]))
    return [*dict.fromkeys([*CONTROL_TYPES, *seen])]


def events_of(kind: str, platform_id: str) -> list[dict[str, Any]]:
    """Tell what was done with an object here, newest first."""
    events = []
    for done in history(kind, platform_id):
        icon, tone = ICONS.get(done.action, ("circle-dot", "muted"))
        events.append({"title": f"{done.who}: {done.summary}", "at": done.at, "icon": icon, "tone": tone})
    return events
