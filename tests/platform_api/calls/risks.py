"""Calls of issues, and of risk scenarios with their controls."""

from collections.abc import Callable
from typing import Any

from tests.platform_api.calls.core import LATER, UNKNOWN
from tests.platform_api.world import World


def controlled(world: World) -> tuple[str, str]:
    """Return a risk scenario and one of its controls, by the control's own id."""
    scenario_id = world.id_of("risk-scenarios")
    links = world.sandbox.objects.all(world.tenant.id, "risk-scenario-controls", parent_id=scenario_id)
    return scenario_id, links[0]["controlId"]


def unlinked(world: World) -> str:
    """Return a control that the risk scenario does not have."""
    links = world.sandbox.objects.all(world.tenant.id, "risk-scenario-controls", parent_id=world.id_of("risk-scenarios"))
    linked = {link["controlId"] for link in links}
    return next(found["id"] for found in world.sandbox.objects.all(world.tenant.id, "controls") if found["id"] not in linked)


CALLS: dict[str, Callable[[World], Any]] = {
    "issues.all": lambda w: w.api.issues.all.page(
        None,
        status_matches_any=["CLOSED", "IN_PROGRESS"],
        due_before_date=LATER,
        include_issues_without_due_date=True,
        order_by="severity",
        order_direction="desc",
    ),
    "issues.get": lambda w: w.api.issues.get(w.id_of("issues")),
    "risk_scenarios.all": lambda w: w.api.risk_scenarios.all.page(
        None, owner_matches_any=["No owner"], include_ignored=True, order_by="description"
    ),
    "risk_scenarios.create": lambda w: w.api.risk_scenarios.create(
        "The roof leaks", risk_register="Company risks", likelihood=2, identification_date=LATER
    ),
    "risk_scenarios.get": lambda w: w.api.risk_scenarios.get("RISK-001"),
    "risk_scenarios.update": lambda w: w.api.risk_scenarios.update(w.id_of("risk-scenarios"), owner=None, impact=3),
    "risk_scenarios.submit_for_approval": lambda w: w.api.risk_scenarios.submit_for_approval(
        w.id_of("risk-scenarios"), comment="Please."
    ),
    "risk_scenarios.cancel_approval_request": lambda w: w.api.risk_scenarios.cancel_approval_request(w.id_of("risk-scenarios")),
    "risk_scenarios.controls.add": lambda w: w.api.risk_scenarios.controls.add(
        w.id_of("risk-scenarios"), unlinked(w), control_type="TREATMENT_PLAN"
    ),
    "risk_scenarios.controls.all": lambda w: w.api.risk_scenarios.controls.all.page(None, w.id_of("risk-scenarios")),
    "risk_scenarios.controls.update": lambda w: w.api.risk_scenarios.controls.update(*controlled(w), control_type="EXISTING"),
    "risk_scenarios.controls.remove": lambda w: w.api.risk_scenarios.controls.remove(*controlled(w)),
}


MISSING: dict[str, Callable[[World], Any]] = {
    "issues.get": lambda w: w.api.issues.get(UNKNOWN),
    "risk_scenarios.get": lambda w: w.api.risk_scenarios.get(UNKNOWN),
    "risk_scenarios.update": lambda w: w.api.risk_scenarios.update(UNKNOWN, impact=3),
    "risk_scenarios.submit_for_approval": lambda w: w.api.risk_scenarios.submit_for_approval(UNKNOWN),
    "risk_scenarios.cancel_approval_request": lambda w: w.api.risk_scenarios.cancel_approval_request(UNKNOWN),
    "risk_scenarios.controls.all": lambda w: w.api.risk_scenarios.controls.all.page(None, UNKNOWN),
    "risk_scenarios.controls.add": lambda w: w.api.risk_scenarios.controls.add(UNKNOWN, UNKNOWN),
    "risk_scenarios.controls.update": lambda w: w.api.risk_scenarios.controls.update(
        w.id_of("risk-scenarios"), UNKNOWN, control_type="EXISTING"
    ),
    "risk_scenarios.controls.remove": lambda w: w.api.risk_scenarios.controls.remove(UNKNOWN, UNKNOWN),
}
