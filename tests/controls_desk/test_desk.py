"""Controls in use and out of use, frameworks and tests: copied, found, opened; what is read only for the one that is opened."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.services import Urgency, probes
from portal.controls import search_hits
from portal.controls.kinds import FRAMEWORK, TEST
from portal.controls.models import ControlOfRequirement, DeactivatedControl, Evidence, Framework, Test, TestOfControl
from portal.controls.services.store import store_deactivated, store_framework, store_test
from portal.controls.services.store_parts import FetchedFramework, store_requirements
from portal.platform_api.models import compliance as remote
from portal.sync.models import Run, RunState
from portal.tenants.models import Role
from portal.trust_center.models import Control
from tests.controls_desk.conftest import CONTROLS_PAGE, FRAMEWORKS_PAGE, TESTS_PAGE
from tests.sync.desk import two_minutes_pass

DOMAIN = "CRYPTOGRAPHIC_PROTECTIONS"
KINDS = {"controls": Control, "deactivated-controls": DeactivatedControl, "frameworks": Framework, "tests": Test}


def shown(client, page: str, query: str = "") -> list[str]:
    return [row.platform_id for row in client.get(f"{page}{query}").context["page"].rows]


def here(model) -> dict[str, str]:
    return dict(model.objects.filter(gone_at=None).values_list("platform_id", "name"))


def serving(desk, framework_id: str) -> set[tuple[str, str]]:
    """Code and control of each requirement of a framework there."""
    [category] = desk.there("frameworks")[framework_id]["requirementCategories"]
    return {(each["shorthand"], control["id"]) for each in category["requirements"] for control in each["controls"]}


def stored_for(framework_id: str) -> set[tuple[str, str]]:
    rows = ControlOfRequirement.objects.filter(requirement__framework__platform_id=framework_id)
    return set(rows.values_list("requirement__code", "control_id"))


@pytest.mark.both
def test_every_list_is_copied_and_a_second_look_costs_a_call_a_list(desk):
    for kind, model in KINDS.items():
        names = {key: found.get("name") or found["displayName"] for key, found in desk.there(kind).items()}
        assert here(model) == names != {}, kind
    for framework_id in desk.there("frameworks"):
        assert stored_for(framework_id) == serving(desk, framework_id) != set()
    before = {kind: list(model.objects.order_by("pk").values()) for kind, model in KINDS.items()}
    calls = desk.number_of_calls("/v1/")
    desk.compare()
    assert {kind: list(model.objects.order_by("pk").values()) for kind, model in KINDS.items()} == before
    assert desk.number_of_calls("/v1/") == calls + len(KINDS), "nothing but the lists"
    assert not Evidence.objects.exists()
    assert not desk.number_of_calls("controls-library"), "the older address has the same objects"


def test_nothing_of_an_owner_is_kept(client, owner, desk):
    control = next(iter(desk.there("controls")))
    client.get(search_hits.control_url("acme", control))
    desk.drain()
    assert Evidence.objects.filter(control_id=control).exists()
    people = {each["owner"]["emailAddress"] for kind in KINDS for each in desk.there(kind).values() if each.get("owner")}
    assert people
    kept = str([row for model in (*KINDS.values(), Evidence) for row in model.objects.values()])
    assert not [email for email in people if email in kept]


@pytest.mark.both
def test_the_tabs_and_filters_show_exactly_what_they_say(client, owner, desk):
    deactivated, own = desk.there("deactivated-controls"), next(iter(desk.there("deactivated-controls")))
    desk.change("deactivated-controls", own, source="Custom")
    desk.compare()
    tabs = {"": {*desk.there("controls")}, "deactivated": {*deactivated}, "library": {*deactivated} - {own}}
    page = client.get(CONTROLS_PAGE)
    assert {tab["key"]: tab["count"] for tab in page.context["tabs"]} == {key: len(ids) for key, ids in tabs.items()}
    for tab, ids in tabs.items():
        assert set(shown(client, CONTROLS_PAGE, f"?tab={tab}")) == ids != set(), tab
    controls = desk.there("controls").values()
    for query, fits in {
        f"domain={DOMAIN}": lambda each: each["domains"] == [DOMAIN],
        "origin=own": lambda each: each["source"] == "Custom",
        "q=multi-factor": lambda each: "multi-factor" in each["name"].lower(),
    }.items():
        assert set(shown(client, CONTROLS_PAGE, f"?{query}")) == {each["id"] for each in controls if fits(each)} != set()
    assert shown(client, CONTROLS_PAGE, "?tab=deactivated&origin=own") == [own]
    names = [desk.there("controls")[each]["name"].casefold() for each in shown(client, CONTROLS_PAGE)]
    assert names == sorted(names)
    tests = desk.there("tests")
    ok = {key for key, each in tests.items() if each["status"] == "OK"}
    assert set(shown(client, TESTS_PAGE, "?status=OK")) == ok != set()
    assert tests[shown(client, TESTS_PAGE)[0]]["status"] == "NEEDS_ATTENTION"
    assert set(shown(client, FRAMEWORKS_PAGE)) == {*desk.there("frameworks")}


@pytest.mark.both
def test_a_control_shows_what_belongs_to_it_and_that_is_read_when_it_is_opened(client, owner, desk):
    control = next(key for key in desk.there("controls") if desk.mapped(key, "test"))
    url, there = search_hits.control_url("acme", control), desk.there("controls")[control]
    first = client.get(url)
    assert first.context["evidence"] is None
    desk.drain()
    page = client.get(url)
    evidence = page.context["evidence"]
    assert (evidence.status, evidence.tests_passing, evidence.documents_total) == (
        there["status"],
        there["numTestsPassing"],
        there["numDocumentsTotal"],
    )
    assert {row.platform_id for row in page.context["tests"]} == desk.mapped(control, "test")
    codes = {(framework.platform_id, str(each)) for framework, rows in page.context["codes"] for each in rows}
    serves = {(key, code) for key in desk.there("frameworks") for code, each in serving(desk, key) if each == control}
    assert codes == serves != set()
    test = next(iter(desk.mapped(control, "test")))
    assert there["name"] in client.get(search_hits.test_url("acme", test)).content.decode()
    calls = desk.number_of_calls(f"/controls/{control}")
    client.get(url)
    desk.drain()
    assert desk.number_of_calls(f"/controls/{control}") == calls == 2, "they are fresh"
    Evidence.objects.update(read_at=timezone.now() - timedelta(hours=1))
    client.get(url, headers={"HX-Request": "true"})
    desk.drain()
    assert desk.number_of_calls(f"/controls/{control}") == calls, "a page that polls asks for nothing"
    for mapping in desk.objects.all(desk.tenant_id, "control-mappings", parent_id=control):
        if mapping["target"] == test:
            desk.objects.delete(desk.tenant_id, "control-mappings", mapping["id"])
    client.get(url)
    desk.drain()
    assert test not in {row.test_id for row in TestOfControl.objects.all()}


def test_a_framework_is_read_again_when_its_controls_are_others_or_it_is_old(client, owner, desk):
    framework = next(iter(desk.there("frameworks")))
    [category] = desk.there("frameworks")[framework]["requirementCategories"]
    fewer = [{**category, "requirements": category["requirements"][:1]}]
    desk.change("frameworks", framework, requirementCategories=fewer, numControlsTotal=1)
    desk.compare()
    assert stored_for(framework) == serving(desk, framework)
    url = search_hits.framework_url("acme", framework)
    assert [str(line.requirement) for line in client.get(url).context["lines"]] == [category["requirements"][0]["shorthand"]]
    calls = desk.number_of_calls(f"/frameworks/{framework}")
    client.get(url)
    desk.drain()
    assert desk.number_of_calls(f"/frameworks/{framework}") == calls
    Framework.objects.update(requirements_read_at=timezone.now() - timedelta(days=2))
    client.get(url)
    desk.drain()
    assert desk.number_of_calls(f"/frameworks/{framework}") == calls + 1


def test_what_is_deactivated_moves_and_what_is_deleted_is_gone_after_two_looks(client, owner, desk):
    control, spare, test = (next(iter(desk.there(kind))) for kind in ("controls", "deactivated-controls", "tests"))
    found = desk.there("controls")[control]
    desk.objects.delete(desk.tenant_id, "controls", control)
    kept = {key: found[key] for key in ("id", "name", "description", "source", "domains", "externalId")}
    desk.objects.add(
        desk.tenant_id,
        "deactivated-controls",
        {**desk.there("deactivated-controls")[spare], **kept, "deactivationReason": "Replaced by a better one"},
    )
    desk.objects.delete(desk.tenant_id, "deactivated-controls", spare)
    desk.objects.delete(desk.tenant_id, "tests", test)
    for _ in range(2):
        desk.compare()
        two_minutes_pass()
        desk.drain()
    assert control not in shown(client, CONTROLS_PAGE)
    assert shown(client, CONTROLS_PAGE, f"?{urlencode({'tab': 'deactivated', 'q': found['name']})}") == [control]
    assert spare not in shown(client, CONTROLS_PAGE, "?tab=deactivated")
    assert test not in shown(client, TESTS_PAGE)
    assert b"Replaced by a better one" in client.get(search_hits.control_url("acme", control)).content
    for url in (search_hits.control_url("acme", spare), search_hits.test_url("acme", test)):
        assert b"No longer on the platform" in client.get(url).content


def test_s8_the_exports_are_what_the_lists_show_and_are_written_down(client, desk, member):
    client.force_login(member(Role.ANALYST))
    name = Framework.objects.present().order_by("pk")[0].name
    for page, query in (
        (CONTROLS_PAGE, f"?domain={DOMAIN}"),
        (CONTROLS_PAGE, "?tab=deactivated"),
        (TESTS_PAGE, "?status=OK"),
        (FRAMEWORKS_PAGE, ""),
        (FRAMEWORKS_PAGE, f"?{urlencode({'q': name})}"),
    ):
        content = b"".join(client.post(f"{page}export/{query}").streaming_content).decode()
        ids = [line.split(",")[0].strip('"\ufeff') for line in content.splitlines()[1:]]
        assert ids == shown(client, page, query) != []
    assert Entry.objects.filter(action="controls.export").count() == 5
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{CONTROLS_PAGE}export/").status_code == 403
    assert client.post(f"{TESTS_PAGE}export/").status_code == 403
    assert client.post(f"{FRAMEWORKS_PAGE}export/").status_code == 403


def test_a_refused_area_is_said_plainly_and_what_is_here_stays(client, owner, desk, sandbox):
    before = shown(client, TESTS_PAGE)
    sandbox.fail("status", value=403, path="/v1/controls*")
    sandbox.fail("status", value=403, path="/v1/tests*")
    assert probes.probe(Urgency.PERSON)
    desk.compare()
    assert Run.objects.get(kind="test").state == RunState.BLOCKED
    assert Run.objects.get(kind="framework").state == RunState.DONE
    page = client.get(TESTS_PAGE)
    assert b"The connection does not cover controls" in page.content
    assert [row.platform_id for row in page.context["page"].rows] == before
    assert b"The connection does not cover controls" in client.get(CONTROLS_PAGE).content


@pytest.mark.parametrize("change", [{"name": None, "domains": None, "frameworks": [{"id": "x", "sections": [7, None]}, 5]}])
def test_odd_objects_have_a_page(client, owner, desk, change):
    odd = {"id": "odd/one"} | change
    store_deactivated(remote.Control.read({**next(iter(desk.there("deactivated-controls").values())), **odd}))
    store_test(remote.Test.read({"id": "odd/one", "status": "BRAND_NEW", "integrations": [1], "lastTestRunDate": "soon"}))
    store_framework(remote.Framework.read({"id": "odd/one", "numControlsTotal": -3, "displayName": 8}))
    requirements = [{"requirements": [{"id": "r", "controls": [7, {"id": ""}, {"id": "a/b"}]}, 9]}, {"requirements": None}]
    found = remote.Framework.read({"id": "odd/one", "requirementCategories": requirements})
    assert store_requirements(FetchedFramework(timezone.now(), found))
    assert stored_for("odd/one") == {("r", "a/b")}
    for url in (search_hits.control_url, search_hits.test_url, search_hits.framework_url):
        assert client.get(url("acme", "odd/one")).status_code == 200
    assert "odd/one" in shown(client, CONTROLS_PAGE, "?tab=deactivated")
    assert shown(client, TESTS_PAGE, "?status=BRAND_NEW") == ["odd/one"]


def test_another_tenant_sees_nothing_of_it(client, desk, mallory, globex):
    client.force_login(mallory)
    for model, url in (
        (Control, search_hits.control_url),
        (Framework, search_hits.framework_url),
        (Test, search_hits.test_url),
    ):
        assert client.get(url("globex", model.objects.all()[0].platform_id)).status_code == 404
    assert not client.get("/t/globex/controls/").context["page"].rows


def test_r3_before_tests_and_frameworks_were_read_a_control_is_not_said_to_have_none(client, owner, desk):
    control = next(key for key in desk.there("controls") if desk.mapped(key, "test"))
    url = search_hits.control_url("acme", control)
    client.get(url)
    desk.drain()
    for model, kind in ((Test, TEST), (Framework, FRAMEWORK)):
        model.objects.all().delete()
        Run.objects.filter(kind=kind).delete()
    page = client.get(url).content.decode()
    assert "Not linked to any test" not in page
    assert "Not mapped to any framework" not in page
    assert "Not checked yet" in page
    assert "Not all frameworks have been checked yet" in page
