"""Issues and risk scenarios become rows, follow the platform, and are found by what the filters say."""

import csv
from datetime import UTC, datetime, time, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.services import Urgency, probes
from portal.platform_api.models import risks as remote
from portal.risks.models import Issue, IssueOwner, OwnerOfIssue, RiskScenario
from portal.risks.models.choices import severity_rank
from portal.risks.search_hits import issue_url, scenario_url
from portal.risks.services.store import store_issue, store_scenario
from portal.sync.models import Run, RunState, StaleMark
from portal.tenants import erased_people
from portal.tenants.models import Role
from portal.trust_center.models import Control
from tests.risks.conftest import ISSUES, SCENARIOS
from tests.sync.desk import two_minutes_pass

KINDS = {"issues": Issue, "risk-scenarios": RiskScenario}


def shown(client, page: str, query: str = "") -> list[str]:
    return [row.platform_id for row in client.get(f"{page}{query}").context["page"].rows]


def here(model) -> dict:
    return dict(model.objects.filter(gone_at=None).values_list("platform_id", "payload"))


@pytest.mark.both
def test_every_list_is_copied_and_a_second_look_changes_nothing(desk):
    there = desk.scenarios()
    # Without a type the platform lists risk scenarios alone (platform-api 4.9).
    expected = {key: found for key, found in there.items() if found["type"] == "Risk Scenario"}
    assert here(RiskScenario) == expected
    assert any(found["isArchived"] for found in expected.values())
    assert here(Issue) == desk.there("issues")
    owned = {(row.issue.platform_id, row.owner_id) for row in OwnerOfIssue.objects.select_related("issue")}
    assert owned == {(key, each["ownerId"]) for key, found in desk.there("issues").items() for each in found["owners"]}
    users = desk.there("users")
    assert dict(IssueOwner.objects.values_list("platform_id", "name")) == {
        each: users[each]["displayName"] for _, each in owned
    }
    before = {kind: list(model.objects.order_by("pk").values()) for kind, model in KINDS.items()}
    calls = len(desk.calls("GET", "/v1/users/"))
    desk.compare()
    assert {kind: list(model.objects.order_by("pk").values()) for kind, model in KINDS.items()} == before
    assert len(desk.calls("GET", "/v1/users/")) == calls, "who is known is not asked for each hour"
    assert not desk.control_calls("GET"), "controls are read when somebody opens a scenario"


def test_what_changes_there_follows_and_what_is_deleted_is_gone_after_two_looks(client, owner, desk):
    first, second, *_ = desk.there("issues")
    scenario = next(iter(here(RiskScenario)))
    desk.objects.delete(desk.tenant_id, "issues", first)
    desk.objects.delete(desk.tenant_id, "risk-scenarios", scenario)
    desk.change("issues", second, severity="APOCALYPTIC", status="WAITING_FOR_GODOT", owners=[], source=None)
    desk.compare()
    two_minutes_pass()
    desk.drain()
    assert Issue.objects.get(platform_id=first).gone_at
    assert RiskScenario.objects.get(platform_id=scenario).gone_at
    row = Issue.objects.get(platform_id=second)
    assert (row.severity_label[0], row.state[0], row.is_open) == ("Apocalyptic", "Waiting for godot", True)
    assert severity_rank("LOW") < row.severity_rank < severity_rank("NO_SEVERITY")
    assert not row.owners.exists()
    assert first not in shown(client, ISSUES, "?tab=all")
    assert scenario not in shown(client, SCENARIOS, "?tab=all")
    assert shown(client, ISSUES, "?severity=APOCALYPTIC") == [second]
    for url in (issue_url("acme", first), issue_url("acme", second), scenario_url("acme", scenario)):
        assert client.get(url).status_code == 200


def test_the_filters_of_issues_show_exactly_what_they_say(client, owner, desk):
    issues, now = desk.there("issues").values(), timezone.now().isoformat()

    def ids(fits) -> set[str]:
        return {each["id"] for each in issues if fits(each)}

    def is_open(each) -> bool:
        return each["status"] != "CLOSED"

    tabs = {
        "": is_open,
        "overdue": lambda each: is_open(each) and each["dueDate"] and each["dueDate"] < now,
        "closed": lambda each: not is_open(each),
        "all": lambda each: True,
    }
    page = client.get(ISSUES)
    assert {tab["key"]: tab["count"] for tab in page.context["tabs"]} == {key: len(ids(fits)) for key, fits in tabs.items()}
    for tab, fits in tabs.items():
        assert set(shown(client, ISSUES, f"?tab={tab}")) == ids(fits) != set(), tab
    somebody = next(each["owners"][0]["ownerId"] for each in issues if each["owners"])
    for query, fits in {
        "severity=HIGH": lambda each: each["severity"] == "HIGH",
        "source=AUDIT": lambda each: each["source"]["sourceType"] == "AUDIT",
        "status=IN_PROGRESS": lambda each: each["status"] == "IN_PROGRESS",
        f"owner={somebody}": lambda each: {"ownerType": "USER", "ownerId": somebody} in each["owners"],
        "owner=none": lambda each: not each["owners"],
        "q=ISS-003": lambda each: each["readableIssueId"] == "ISS-003",
    }.items():
        assert set(shown(client, ISSUES, f"?tab=all&{query}")) == ids(fits) != set(), query
    rows = list(Issue.objects.open())
    assert shown(client, ISSUES) == [row.platform_id for row in sorted(rows, key=lambda row: (row.due_sort, row.pk))]
    worst = [row.platform_id for row in sorted(rows, key=lambda row: (row.severity_rank, row.pk))]
    assert shown(client, ISSUES, "?sort=severity") == worst


def test_a_day_is_the_same_day_for_every_reader(client, owner, desk):
    owner.user.timezone = "America/New_York"
    owner.user.save()
    row = Issue.objects.filter(is_open=False).order_by("pk")[0]
    desk.change("issues", row.platform_id, dueDate="2031-03-31T00:00:00.000Z")
    desk.compare()
    for page in (issue_url("acme", row.platform_id), f"{ISSUES}?tab=closed"):
        said = client.get(page).content.decode()
        assert ("31 Mar 2031" in said, "30 Mar 2031" in said) == (True, False)


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin"])
def test_an_issue_is_late_once_its_day_is_over_where_the_reader_is(client, owner, desk, zone):
    owner.user.timezone = zone
    owner.user.save()
    late, last = Issue.objects.open().order_by("pk")[:2]
    Issue.objects.exclude(pk__in=[late.pk, last.pk]).update(is_open=False)
    today = timezone.localdate(timezone=ZoneInfo(zone))
    for row, days in ((late, 1), (last, 0)):
        due = datetime.combine(today - timedelta(days=days), time(), tzinfo=UTC)
        Issue.objects.filter(pk=row.pk).update(due_at=due, due_sort=due)
    assert shown(client, ISSUES, "?tab=overdue") == [late.platform_id]
    file = b"".join(client.post(f"{ISSUES}export/?tab=overdue").streaming_content).decode("utf-8-sig")
    assert [line["Id"] for line in csv.DictReader(StringIO(file))] == [late.platform_id]
    said = client.get(ISSUES).content.decode()
    assert (said.count(" late</time>"), said.count("due today</time>")) == (1, 1)
    assert " late</time>" in client.get(issue_url("acme", late.platform_id)).content.decode()
    assert "due today</time>" in client.get(issue_url("acme", last.platform_id)).content.decode()


def test_the_filters_of_risk_scenarios_show_exactly_what_they_say(client, owner, desk):
    there = here(RiskScenario).values()

    def ids(fits) -> set[str]:
        return {each["riskId"] for each in there if fits(each)}

    def score(each) -> int:
        return (each["likelihood"] or 0) * (each["impact"] or 0)

    assert set(shown(client, SCENARIOS)) == ids(lambda each: not each["isArchived"])
    somebody = next(each["owner"] for each in there if each["owner"])
    for query, fits in {
        "tab=archived": lambda each: each["isArchived"],
        "tab=all&score=8": lambda each: 8 <= score(each) <= 14,
        "tab=all&score=0": lambda each: score(each) == 0,
        "tab=all&review=APPROVED": lambda each: each["reviewStatus"] == "APPROVED",
        "tab=all&register=Company+risks": lambda each: True,
        "tab=all&owner=none": lambda each: not each["owner"],
        f"tab=all&owner={somebody}": lambda each: each["owner"] == somebody,
        "tab=all&q=backup": lambda each: "backup" in each["description"],
    }.items():
        assert set(shown(client, SCENARIOS, f"?{query}")) == ids(fits) != set(), query
    scores = list(RiskScenario.objects.filter(is_archived=False).values_list("score", flat=True))
    listed = {row.platform_id: row.score for row in RiskScenario.objects.all()}
    assert [listed[each] for each in shown(client, SCENARIOS)] == sorted(scores, reverse=True)


def test_s8_the_exports_are_what_the_lists_show_and_are_written_down(client, desk, member):
    client.force_login(member(Role.ANALYST))
    for page, query in ((ISSUES, "?tab=closed"), (SCENARIOS, "?tab=archived")):
        content = b"".join(client.post(f"{page}export/{query}").streaming_content).decode()
        ids = [line.split(",")[0].strip('"\ufeff') for line in content.splitlines()[1:]]
        assert ids == shown(client, page, query) != []
    assert Entry.objects.filter(action="risks.export").count() == 2
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{ISSUES}export/").status_code == 403


def test_s11_an_erased_owner_is_named_nowhere_and_does_not_come_back(client, owner, desk):
    row = RiskScenario.objects.exclude(owner="")[0]
    email = row.owner
    found = erased_people.erase(email)
    assert found["Owners of risk scenarios"] == sum(
        each["owner"] == email for each in desk.there("risk-scenarios").values() if each["type"] == "Risk Scenario"
    )
    IssueOwner.objects.update(read_at=timezone.now() - timedelta(days=8))
    desk.compare()
    kept = str([*RiskScenario.objects.values(), *Issue.objects.values(), *IssueOwner.objects.values()])
    assert email not in kept
    assert client.get(scenario_url("acme", row.platform_id)).status_code == 200


def test_a_refused_area_is_said_plainly_and_the_other_goes_on(client, owner, desk, sandbox):
    before = shown(client, ISSUES)
    sandbox.fail("status", value=403, path="/v1/issues*")
    assert probes.probe(Urgency.PERSON)
    desk.compare()
    assert Run.objects.get(kind="issue").state == RunState.BLOCKED
    assert Run.objects.get(kind="risk_scenario").state == RunState.DONE
    page = client.get(ISSUES)
    assert b"The connection does not cover issues" in page.content
    assert shown(client, ISSUES) == before
    assert b"The connection does not cover" not in client.get(SCENARIOS).content


def test_owners_that_may_not_be_read_leave_the_issues_readable(client, owner, desk, sandbox):
    IssueOwner.objects.all().delete()
    sandbox.fail("status", value=403, path="/v1/users/*")
    desk.compare()
    row = OwnerOfIssue.objects.filter(issue__is_open=True).select_related("issue")[0].issue
    assert client.get(ISSUES).status_code == 200
    assert b"Teammate" in client.get(issue_url("acme", row.platform_id)).content


def test_q14_an_issue_that_names_what_can_be_no_owner_keeps_out_no_other(desk):
    odd, other = Issue.objects.order_by("pk")[:2]
    desk.change("issues", odd.platform_id, owners=[{"ownerType": "USER", "ownerId": "half \ud83d"}], title="Odd")
    desk.change("issues", other.platform_id, title="Renamed")
    desk.compare()
    assert set(Issue.objects.filter(pk__in=[odd.pk, other.pk]).values_list("title", flat=True)) == {"Odd", "Renamed"}


def test_controls_of_an_issue_are_named_by_their_short_names_or_ids(client, owner, desk):
    one, other = Control.objects.present()[:2]
    body = next(iter(desk.there("issues").values())) | {"id": "both", "mappedControlIds": [one.external_id, other.platform_id]}
    store_issue(remote.Issue.read(body))
    controls = client.get(issue_url("acme", "both")).context["controls"]
    assert [each.name for each in controls] == [str(one), str(other)]
    assert all(row.platform_id in each.url for row, each in zip((one, other), controls, strict=True))


@pytest.mark.parametrize(
    "change",
    [
        {"owners": None, "title": None, "source": "AUDIT", "closedMetadata": "yes", "mappedControlIds": [7, "", "a/b"]},
        {"dueDate": "soon", "severity": None, "template": {}, "description": "\x00", "mappedRiskScenarioIds": None},
    ],
)
def test_odd_issues_have_a_page(client, owner, desk, change):
    body = next(iter(desk.there("issues").values())) | {"id": "odd/one", "status": "NOT_STARTED"} | change
    store_issue(remote.Issue.read(body))
    assert client.get(issue_url("acme", "odd/one")).status_code == 200
    assert "odd/one" in shown(client, ISSUES)


@pytest.mark.parametrize(
    "change", [{"likelihood": "4", "impact": 1e300, "categories": None}, {"owner": 7, "description": None}]
)
def test_odd_risk_scenarios_have_a_page(client, owner, desk, change):
    body = next(iter(desk.there("risk-scenarios").values())) | {"id": "odd/one", "isArchived": False} | change
    store_scenario(remote.RiskScenario.read(body))
    assert client.get(scenario_url("acme", "odd/one")).status_code == 200
    assert "odd/one" in shown(client, SCENARIOS)


def test_another_tenant_sees_nothing_of_it(client, desk, mallory, globex):
    issue, scenario = Issue.objects.all()[0], RiskScenario.objects.all()[0]
    client.force_login(mallory)
    for url in (issue_url("globex", issue.platform_id), scenario_url("globex", scenario.platform_id)):
        assert client.get(url).status_code == 404
    assert not client.get("/t/globex/issues/?tab=all").context["page"].rows
    assert not StaleMark.objects.filter(kind="risk_controls").exists()
