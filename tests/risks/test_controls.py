"""The controls of a risk scenario: read when it is opened, added, changed, taken off; what a lost answer comes to."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.models import Entry
from portal.risks import services
from portal.risks.models import RiskControl, RiskScenario
from portal.risks.models.choices import CONTROL_TYPES
from portal.risks.search_hits import scenario_url
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from portal.trust_center.models import Control
from tests.risks.conftest import CALL
from tests.support.members import find_member


@pytest.fixture
def scenario(client, owner, desk) -> RiskScenario:
    """A scenario that somebody has opened, with its controls."""
    found = RiskScenario.objects.filter(is_archived=False).order_by("pk")[0]
    client.get(scenario_url("acme", found.platform_id))
    desk.drain()
    found.refresh_from_db()
    return found


@pytest.fixture
def control(scenario) -> Control:
    """A control in use that the scenario has not."""
    return Control.objects.present().exclude(external_id__in=here(scenario))[0]


def page_of(scenario: RiskScenario) -> str:
    return scenario_url("acme", scenario.platform_id)


def of_control(scenario: RiskScenario, control_id: str, verb: str) -> str:
    return f"{page_of(scenario)}controls/{control_id}/{verb}/"


def here(scenario: RiskScenario) -> dict[str, str]:
    return dict(RiskControl.objects.filter(scenario=scenario).values_list("control_id", "control_type"))


@pytest.mark.both
def test_controls_are_read_for_the_scenario_that_is_opened_and_again_once_they_are_old(client, desk, scenario):
    assert here(scenario) == desk.controls(scenario.platform_id) != {}
    assert RiskControl.objects.exclude(scenario=scenario).count() == 0
    assert len(desk.control_calls("GET")) == 1
    client.get(page_of(scenario))
    desk.drain()
    assert len(desk.control_calls("GET")) == 1, "they are fresh"
    gone = next(iter(here(scenario)))
    control = Control.objects.get(external_id=gone)
    link = next(each for each in desk.links(scenario.platform_id) if each["controlId"] == control.platform_id)
    desk.objects.delete(desk.tenant_id, "risk-scenario-controls", link["id"])
    RiskScenario.objects.filter(pk=scenario.pk).update(controls_read_at=timezone.now() - timedelta(hours=1))
    client.get(page_of(scenario), headers={"HX-Request": "true"})
    desk.drain()
    assert len(desk.control_calls("GET")) == 1, "a page that polls asks for nothing"
    client.get(page_of(scenario))
    desk.drain()
    assert gone not in here(scenario)


@pytest.mark.both
def test_an_approver_adds_a_control_changes_its_type_and_takes_it_off(client, desk, member, scenario, control):
    approver = member(Role.APPROVER)
    client.force_login(approver)
    offered = client.get(f"{page_of(scenario)}controls/").context["page"].rows
    assert control in offered
    assert len(offered) == Control.objects.present().count() - len(here(scenario)), "those it has are not offered"
    assert client.get(of_control(scenario, control.platform_id, "add")).status_code == 200
    assert client.post(of_control(scenario, control.platform_id, "add"), {"control_type": "Nonsense"}).status_code == 422
    answer = client.post(of_control(scenario, control.platform_id, "add"), {"control_type": "TREATMENT_PLAN"})
    assert answer["Location"] == page_of(scenario)
    name = control.external_id
    assert desk.controls(scenario.platform_id)[name] == "TREATMENT_PLAN"
    assert here(scenario) == desk.controls(scenario.platform_id)
    client.post(of_control(scenario, name, "type"), {"control_type": "TREATMENT_PLAN"})
    assert not desk.control_calls("PATCH"), "nothing was different"
    client.post(of_control(scenario, name, "type"), {"control_type": "EXISTING"})
    assert desk.controls(scenario.platform_id)[name] == "EXISTING" == here(scenario)[name]
    client.post(of_control(scenario, name, "remove"))
    assert name not in desk.controls(scenario.platform_id)
    assert name not in here(scenario)
    done = Entry.objects.filter(target_id=scenario.platform_id, actor=approver).order_by("pk")
    verbs = ["add_control", "change_control", "remove_control"]
    assert list(done.values_list("action", flat=True)) == [f"risk_scenario.{verb}" for verb in verbs]
    assert {entry.details["control"] for entry in done} == {control.platform_id}
    assert all(control.name[:50] in entry.summary for entry in done)
    assert done[0].summary.endswith(": Treatment plan.")
    assert done[1].summary.endswith(": Treatment plan → Existing.")


def test_controls_are_named_and_linked_by_their_short_names_or_ids(client, desk, scenario, control):
    desk.change("controls", control.platform_id, externalId=None)
    Control.objects.filter(pk=control.pk).update(external_id="")
    client.post(of_control(scenario, control.platform_id, "add"), {"control_type": "EXISTING"})
    assert here(scenario)[control.platform_id] == "EXISTING"
    linked = next(name for name in here(scenario) if name != control.platform_id)
    Control.objects.create(platform_id="gone", external_id=linked, name="Of last year", gone_at=timezone.now())
    page = client.get(page_of(scenario))
    shown = [each for each, *_ in page.context["controls"]]
    assert len(shown) == len(here(scenario)) > 1
    rows = {row.external_id or row.platform_id: row for row in Control.objects.present()}
    assert {each.row.control_id: each.name for each in shown} == {name: str(rows[name]) for name in here(scenario)}
    assert all(f"/controls/{rows[each.row.control_id].platform_id}/" in each.url for each in shown)
    answer = client.post(of_control(scenario, control.platform_id, "add"), {"control_type": "TREATMENT_PLAN"})
    assert b"is already there" in answer.content


def test_types_are_those_that_the_platform_takes_and_another_is_shown_as_it_came(client, desk, scenario, control):
    form = client.get(of_control(scenario, control.platform_id, "add")).context["form"]
    assert form.fields["control_type"].choices == [("EXISTING", "Existing"), ("TREATMENT_PLAN", "Treatment plan")]
    assert client.post(of_control(scenario, control.platform_id, "add"), {"control_type": ""}).status_code == 422
    assert not desk.control_calls("POST")
    row = scenario.controls.all()[0]
    RiskControl.objects.filter(pk=row.pk).update(control_type="Some_Day")
    assert b">Some_Day</span>" in client.get(page_of(scenario)).content
    client.post(of_control(scenario, row.control_id, "type"), {"control_type": "Some_Day"})
    assert not desk.control_calls("PATCH"), "nothing was different"


@pytest.mark.parametrize("status", [409, 422])
def test_a_refused_link_has_the_list_read_again(client, desk, scenario, control, sandbox, status):
    sandbox.fail("status", value=status, method="POST", path=CALL)
    assert client.post(of_control(scenario, control.platform_id, "add"), {"control_type": "EXISTING"}).status_code == 422
    assert StaleMark.objects.filter(kind="risk_controls", object_id=scenario.platform_id, urgent=True).exists()


def test_an_analyst_reads_and_changes_nothing(client, desk, member, scenario, control):
    analyst = find_member(user=member(Role.ANALYST))
    client.force_login(analyst.user)
    before = desk.controls(scenario.platform_id)
    page = client.get(page_of(scenario))
    assert "Remove…" not in page.content.decode()
    assert "Add a control" not in page.content.decode()
    row = scenario.controls.all()[0]
    assert client.get(f"{page_of(scenario)}controls/").status_code == 403
    assert client.post(of_control(scenario, control.platform_id, "add"), {"control_type": "TREATMENT_PLAN"}).status_code == 403
    assert client.post(of_control(scenario, row.control_id, "type"), {"control_type": "EXISTING"}).status_code == 403
    assert client.post(of_control(scenario, row.control_id, "remove")).status_code == 403
    for act in (
        lambda: services.add_control(scenario, control, "TREATMENT_PLAN", member=analyst),
        lambda: services.change_type(row, "EXISTING", named="It", member=analyst),
        lambda: services.remove_control(row, named="It", member=analyst),
    ):
        with pytest.raises(PermissionDenied):
            act()
    assert desk.controls(scenario.platform_id) == before


def test_a_lost_answer_is_looked_up_and_nothing_is_sent_twice(client, desk, scenario, control, sandbox):
    url = of_control(scenario, control.platform_id, "add")
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    assert client.post(url, {"control_type": "TREATMENT_PLAN"}).status_code == 302
    assert len(desk.control_calls("POST")) == 1
    name = control.external_id
    assert here(scenario)[name] == "TREATMENT_PLAN"
    sandbox.fail("drop_answer", method="PATCH", path=CALL, times=1)
    client.post(of_control(scenario, name, "type"), {"control_type": "EXISTING"})
    assert here(scenario)[name] == "EXISTING"
    sandbox.fail("drop_answer", method="DELETE", path=CALL, times=1)
    client.post(of_control(scenario, name, "remove"))
    assert name not in here(scenario)
    assert len(desk.control_calls("DELETE")) == 1


def test_where_nobody_can_look_it_stays_open_and_is_looked_at_again(client, desk, scenario, sandbox):
    row = scenario.controls.all()[0]
    wanted = next(each for each in CONTROL_TYPES if each != row.control_type)
    sandbox.fail("drop_answer", method="PATCH", path=CALL, times=1)
    sandbox.fail("status", method="GET", path=CALL, value=503, times=9)
    answer = client.post(of_control(scenario, row.control_id, "type"), {"control_type": wanted}, follow=True)
    assert b"We could not confirm it and are checking" in answer.content
    assert here(scenario)[row.control_id] == row.control_type
    assert not Entry.objects.filter(target_id=scenario.platform_id).exists()
    assert StaleMark.objects.filter(kind="risk_controls", object_id=scenario.platform_id, urgent=True).exists()
    sandbox.control("DELETE", "/faults")
    desk.drain()
    assert here(scenario)[row.control_id] == wanted
    assert len(desk.control_calls("PATCH")) == 1


def test_what_somebody_else_has_added_is_said_and_not_added_again(client, desk, scenario, control):
    link = {"id": "l1", "controlId": control.platform_id, "controlType": "EXISTING"}
    desk.objects.add(desk.tenant_id, "risk-scenario-controls", link, parent_id=scenario.platform_id)
    answer = client.post(of_control(scenario, control.platform_id, "add"), {"control_type": "TREATMENT_PLAN"})
    assert answer.status_code == 422
    assert b"is already there" in answer.content
    assert not desk.control_calls("POST")
    assert here(scenario)[control.external_id] == "EXISTING", "what was seen is kept"


def test_what_is_gone_there_is_said_and_looked_at(client, desk, scenario, control):
    row = scenario.controls.all()[0]
    desk.objects.delete(desk.tenant_id, "risk-scenarios", scenario.platform_id)
    assert client.post(of_control(scenario, control.platform_id, "add"), {"control_type": "TREATMENT_PLAN"}).status_code == 422
    other = next(each for each in CONTROL_TYPES if each != row.control_type)
    client.post(of_control(scenario, row.control_id, "type"), {"control_type": other})
    assert StaleMark.objects.filter(kind="risk_scenario", object_id=scenario.platform_id, urgent=True).exists()
    assert here(scenario)[row.control_id] == row.control_type
    assert not Entry.objects.filter(target_id=scenario.platform_id).exists()


def test_an_answer_in_html_changes_nothing_here(client, desk, scenario, sandbox):
    row = scenario.controls.all()[0]
    sandbox.fail("html", method="DELETE", path=CALL, times=9)
    assert client.post(of_control(scenario, row.control_id, "remove"))["Location"] == page_of(scenario)
    assert row.control_id in here(scenario)


def test_a_list_that_cannot_be_read_whole_takes_no_control_away(desk, scenario):
    before = here(scenario)
    link = desk.links(scenario.platform_id)[0]
    unreadable = {"id": "bad", "controlId": 7, "controlType": "EXISTING"}
    desk.objects.add(desk.tenant_id, "risk-scenario-controls", unreadable, parent_id=scenario.platform_id)
    desk.objects.delete(desk.tenant_id, "risk-scenario-controls", link["id"])
    RiskScenario.objects.filter(pk=scenario.pk).update(controls_read_at=timezone.now() - timedelta(hours=1))
    scenario.refresh_from_db()
    services.ask_for_controls(scenario)
    desk.drain()
    assert here(scenario) == before
    assert StaleMark.objects.get(kind="risk_controls", object_id=scenario.platform_id).problem
