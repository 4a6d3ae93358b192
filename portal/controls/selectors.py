"""Reads of the desk's pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.urls import reverse

from portal.controls.filters import TABS, CompanyControlFilters, TestFilters
from portal.controls.kinds import FRAMEWORK
from portal.controls.models import (
    ControlOfRequirement,
    DeactivatedControl,
    Evidence,
    Framework,
    Requirement,
    Test,
    TestOfControl,
)
from portal.lib.counts import count_together
from portal.lib.unnamed import NO_NAME
from portal.sync.readiness import readiness
from portal.trust_center.models import Control

MAX_NAMED = 200
MAX_REQUIREMENTS = 1000


def figures(filters: CompanyControlFilters) -> dict[str, int]:
    """Count the controls of each tab, with every other filter; not with the search, which would read every row."""
    return count_together({tab: filters.of_tab(tab) for tab in TABS})


def control_named(platform_id: str) -> Control | DeactivatedControl | None:
    """Return a control: as it is in use, else as it is out of use, else as it was when it was in use."""
    in_use = Control.objects.filter(platform_id=platform_id).first()
    if in_use and in_use.gone_at is None:
        return in_use
    out_of_use = DeactivatedControl.objects.filter(platform_id=platform_id).first()
    return out_of_use if out_of_use and (out_of_use.gone_at is None or in_use is None) else in_use


def evidence_of(platform_id: str) -> Evidence | None:
    return Evidence.objects.filter(control_id=platform_id).first()


def tests_of(evidence: Evidence) -> list[Test]:
    """Return the tests that prove a control, what needs somebody first. One that is not known here yet is left out."""
    ids = evidence.tests.values("test_id")
    return list(Test.objects.present().filter(platform_id__in=ids).defer("search", "description")[:MAX_NAMED])


def codes_of(platform_id: str) -> list[tuple[Framework, list[Requirement]]]:
    """Return the requirements that a control serves, framework by framework."""
    wanted = ControlOfRequirement.objects.filter(control_id=platform_id).values("requirement")
    rows = Requirement.objects.filter(pk__in=wanted, framework__gone_at=None).select_related("framework")
    found: dict[int, tuple[Framework, list[Requirement]]] = {}
    for row in rows.order_by("framework__name_sort", "framework_id", "position")[:MAX_REQUIREMENTS]:
        found.setdefault(row.framework_id, (row.framework, []))[1].append(row)
    return list(found.values())


def has_unread_frameworks() -> bool:
    """Say whether there is a framework of which it is not known yet which controls serve it."""
    return not readiness(FRAMEWORK).is_known or Framework.objects.present().filter(requirements_read_at=None).exists()


@dataclass(frozen=True)
class Named:
    """A control as another page names it."""

    name: str
    url: str


def controls_by_id(ids: Iterable[str], slug: str) -> dict[str, Named]:
    """Name controls, in use or not; one that is known in neither way has no page."""
    wanted = set(ids)
    names = dict(DeactivatedControl.objects.filter(platform_id__in=wanted).values_list("platform_id", "name"))
    names |= dict(Control.objects.filter(platform_id__in=wanted).values_list("platform_id", "name"))
    return {each: Named(name or NO_NAME, reverse("controls:control", args=[slug, each])) for each, name in names.items()}


@dataclass(frozen=True)
class RequirementLine:
    """A requirement with the controls that serve it."""

    requirement: Requirement
    controls: Sequence[Named]
    is_first: bool
    """Of its category."""


def requirements_of(framework: Framework, slug: str) -> list[RequirementLine]:
    """Return the requirements of a framework in its order."""
    rows = list(framework.requirements.prefetch_related("controls")[:MAX_REQUIREMENTS])
    names = controls_by_id({link.control_id for row in rows for link in row.controls.all()}, slug)
    lines, category = [], None
    for row in rows:
        served = [names.get(link.control_id, Named(NO_NAME, "")) for link in row.controls.all()]
        lines.append(RequirementLine(row, sorted(served, key=lambda each: each.name.casefold()), row.category != category))
        category = row.category
    return lines


def controls_of_test(test: Test, slug: str) -> list[Named]:
    """Return the controls that a test is known to prove: those whose evidence was read here."""
    links = TestOfControl.objects.filter(test_id=test.platform_id).select_related("evidence")[:MAX_NAMED]
    found = controls_by_id({link.evidence.control_id for link in links}, slug)
    return sorted(found.values(), key=lambda each: each.name.casefold())


def test_figures(filters: TestFilters) -> dict[str, int]:
    """Count the tests of each state, with every other filter but the search; all of them under nothing."""
    numbers = dict(filters.of_all_states().order_by().values_list("status").annotate(number=Count("pk")))
    return {**numbers, "": sum(numbers.values())}
