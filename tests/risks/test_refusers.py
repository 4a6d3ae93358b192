"""R5 on the desk of risks: whoever refuses a change is named, whichever change it is."""

from typing import Any

import pytest
from django.urls import reverse

from portal.risks.models import RiskControl, RiskScenario
from portal.risks.search_hits import scenario_url
from portal.trust_center.models import Control
from tests.support.refusers import Scene, Sent, Write, press, wrongly_named

pytestmark = pytest.mark.once
OTHER = {"EXISTING": "TREATMENT_PLAN"}


def at(name: str, *ids: str) -> str:
    return reverse(f"risks:{name}", args=["acme", *ids])


def linked() -> Any:
    return RiskControl.objects.select_related("scenario").order_by("pk")[0]


def add(_: Scene) -> Sent:
    scenario = linked().scenario
    known = RiskControl.objects.filter(scenario=scenario).values("control_id")
    control = Control.objects.present().exclude(external_id__in=known)[0]
    return at("add_control", scenario.platform_id, control.platform_id), {"control_type": "EXISTING"}


def change(_: Scene) -> Sent:
    row = linked()
    other = OTHER.get(row.control_type, "EXISTING")
    return at("change_type", row.scenario.platform_id, row.control_id), {"control_type": other}


def remove(_: Scene) -> Sent:
    row = linked()
    return at("remove_control", row.scenario.platform_id, row.control_id), {}


WRITES: dict[str, Write] = {
    "a control": press("risk_scenarios.controls.add", add),
    "type of a control": press("risk_scenarios.controls.update", change),
    "end of a control": press("risk_scenarios.controls.remove", remove),
}


@pytest.fixture
def scene(client, sandbox, desk, owner) -> Scene:
    """A scenario was opened, so that its controls are known."""
    found = RiskScenario.objects.filter(is_archived=False).order_by("pk")[0]
    client.get(scenario_url("acme", found.platform_id))
    desk.drain()
    return Scene(client, sandbox, desk, owner)


def test_r5_whoever_refuses_a_change_of_risks_is_named(scene):
    assert wrongly_named(scene, WRITES) == []


@pytest.mark.moods
def test_r5_each_refuser_of_each_change_of_risks_is_named(scene):
    assert wrongly_named(scene, WRITES, is_whole=True) == []
