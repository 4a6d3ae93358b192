"""Reads of the desk's pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import NoReverseMatch, reverse

from portal.audit.services import history
from portal.lib.counts import count_together
from portal.lib.unnamed import NO_NAME
from portal.platform_api.identifiers import is_identifier
from portal.platform_api.models import risks as remote
from portal.risks.filters import ISSUE_TABS, SCENARIO_TABS, IssueFilters, ScenarioFilters
from portal.risks.models import Issue, OwnerOfIssue, RiskControl, RiskScenario, names_of_owners
from portal.trust_center.models import Control

ICONS = {
    "risk_scenario.add_control": ("plus", "good"),
    "risk_scenario.change_control": ("pencil", "info"),
    "risk_scenario.remove_control": ("minus", "warn"),
}
MAX_LINKED = 50


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
    found = controls_called(wanted)
    return [Linked(str(found.get(each, NO_NAME)), control_url(slug, found.get(each))) for each in wanted]


def controls_called(names: Iterable[str]) -> dict[str, Control]:
    """Find controls by what the platform calls them: a short name, or the id of one that has none (management-api 3.16).

    One that was never read is not here.
    """
    wanted = list(names)
    rows = Control.objects.filter(Q(platform_id__in=wanted) | Q(external_id__in=wanted))
    # A short name may have been another control's before: the one in use counts, and an id before any short name.
    found = sorted(rows.only("platform_id", "external_id", "name", "gone_at"), key=lambda row: row.gone_at is None)
    called = {row.external_id: row for row in found} | {row.platform_id: row for row in found}
    return {each: called[each] for each in wanted if each in called}


def names_of_control(name: str) -> list[str]:
    """Return every name under which the platform may list a control, the id first where it is known."""
    control = controls_called([name]).get(name)
    known = [control.platform_id, control.external_id] if control else []
    return [each for each in dict.fromkeys([*known, name]) if each]


def control_url(slug: str, control: Control | None) -> str:
    """Return the page of a control, which is another desk's; empty for one that is not here."""
    try:
        return reverse("controls:control", args=[slug, control.platform_id]) if control else ""
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
    found = controls_called(row.control_id for row in rows)
    shown = [
        ShownControl(row, str(found.get(row.control_id, NO_NAME)), control_url(slug, found.get(row.control_id))) for row in rows
    ]
    return sorted(shown, key=lambda each: (each.name.casefold(), each.row.pk))


def name_of_control(control_id: str) -> str:
    return str(controls_called([control_id]).get(control_id, NO_NAME))


def events_of(kind: str, platform_id: str) -> list[dict[str, Any]]:
    """Tell what was done with an object here, newest first."""
    events = []
    for done in history(kind, platform_id):
        icon, tone = ICONS.get(done.action, ("circle-dot", "muted"))
        events.append({"title": f"{done.who}: {done.summary}", "at": done.at, "icon": icon, "tone": tone})
    return events
