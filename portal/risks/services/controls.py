"""Which controls a risk scenario has, and what they do for it (specification 4.7). Each change is read back from its list."""

from collections.abc import Callable, Collection

from django.db import transaction

from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.errors import Conflict, NotFound, ValidationFailed
from portal.platform_writes.outcomes import OutcomeUnknown, delete_and_verify, write_and_verify
from portal.risks.errors import AlreadyThere, Gone
from portal.risks.kinds import AREA, RISK_CONTROLS, RISK_SCENARIO
from portal.risks.models import RiskControl, RiskScenario
from portal.risks.models.choices import type_label
from portal.risks.selectors import names_of_control
from portal.risks.services.store_controls import FetchedControls, fetch_controls, store_controls
from portal.risks.services.writes import check
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership
from portal.trust_center.models import Control

NO_TYPE = "no type"


def add_control(scenario: RiskScenario, control: Control, control_type: str, *, member: Membership) -> None:
    """Add a control to a risk scenario, once.

    Raises PermissionDenied, Gone, AlreadyThere, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    client, names = client_for(Urgency.PERSON), names_of_control(control.platform_id)
    if type_in(before := _look(scenario, client), names) is not None:
        _keep(before)
        raise AlreadyThere

    def write() -> None:
        client.risk_scenarios.controls.add(scenario.platform_id, control.platform_id, control_type=control_type)

    try:
        found = _change(scenario, client, write, is_done=lambda found: type_in(found, names) == control_type)
    except (Conflict, ValidationFailed):
        # Somebody may have linked it with the other type in between.
        fetch_now((RISK_CONTROLS, scenario.platform_id))
        raise
    said = type_label(control_type)
    summary = f"Added the control “{str(control)[:100]}” to the risk scenario “{str(scenario)[:100]}”: {said}."
    _note(found, scenario, names[0], "add_control", summary, member)


def change_type(row: RiskControl, control_type: str, *, named: str, member: Membership) -> None:
    """Say otherwise what a control does for its scenario. `named` is what people call the control.

    Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    scenario, client, control_id = row.scenario, client_for(Urgency.PERSON), row.control_id
    names = names_of_control(control_id)
    found = _change(
        scenario,
        client,
        lambda: client.risk_scenarios.controls.update(scenario.platform_id, control_id, control_type=control_type),
        is_done=lambda found: type_in(found, names) == control_type,
    )
    types = f"{row.type_label or NO_TYPE} → {type_label(control_type)}"
    summary = f"Changed the type of “{named[:80]}” for the risk scenario “{str(scenario)[:80]}”: {types}."
    _note(found, scenario, names[0], "change_control", summary, member)


def remove_control(row: RiskControl, *, named: str, member: Membership) -> None:
    """Take a control off its risk scenario; the tenant keeps it.

    Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    scenario, client, control_id = row.scenario, client_for(Urgency.PERSON), row.control_id
    names, looked = names_of_control(control_id), list[FetchedControls]()

    def fetch() -> None:
        looked.append(_look(scenario, client))
        if type_in(looked[-1], names) is not None or looked[-1].found.problem:
            return
        raise NotFound("GET", "", message="the scenario does not list it")

    try:
        delete_and_verify(
            delete=lambda: client.risk_scenarios.controls.remove(scenario.platform_id, control_id),
            fetch=fetch,
            is_known_gone=lambda: not RiskControl.objects.filter(pk=row.pk).exists(),
        )
    except OutcomeUnknown:
        fetch_now((RISK_CONTROLS, scenario.platform_id))
        raise
    summary = f"Removed the control “{named[:100]}” from the risk scenario “{str(scenario)[:100]}”."
    _note(looked[-1] if looked else None, scenario, names[0], "remove_control", summary, member)


def type_in(fetched: FetchedControls, names: Collection[str]) -> str | None:
    """Return what the control of these names does for the scenario; None where the list does not have it."""
    return next((each.control_type or "" for each in fetched.found.items if each.id in names), None)


def _look(scenario: RiskScenario, client: Platform) -> FetchedControls:
    """Read the controls of a scenario. Raises Gone where the platform has no such scenario, and has that looked at."""
    try:
        return fetch_controls(client, scenario.platform_id)
    except NotFound as error:
        fetch_now((RISK_SCENARIO, scenario.platform_id))
        raise Gone from error


def _change(
    scenario: RiskScenario, client: Platform, write: Callable[[], object], *, is_done: Callable[[FetchedControls], bool]
) -> FetchedControls:
    """Make a change, and return the list as it is then. Raises OutcomeUnknown also while the list does not show it."""
    try:
        return write_and_verify(
            write=write, fetch=lambda: fetch_controls(client, scenario.platform_id), is_done=is_done, must_show=True
        )
    except OutcomeUnknown:
        fetch_now((RISK_CONTROLS, scenario.platform_id))
        raise
    except NotFound as error:
        # The answer does not say whether it was the scenario or the control.
        fetch_now((RISK_SCENARIO, scenario.platform_id), (RISK_CONTROLS, scenario.platform_id))
        raise Gone from error


@transaction.atomic
def _keep(found: FetchedControls) -> None:
    if store_controls(found):
        touch_areas(AREA)


@transaction.atomic
def _note(
    found: FetchedControls | None, scenario: RiskScenario, control_id: str, verb: str, summary: str, member: Membership
) -> None:
    """Keep the list that shows a change, and write down who made it."""
    if found:
        store_controls(found)
    details = {"control": control_id}
    record(
        f"risk_scenario.{verb}",
        target=(RISK_SCENARIO, scenario.platform_id),
        summary=summary,
        actor=member.user,
        details=details,
    )
    touch_areas(AREA)
