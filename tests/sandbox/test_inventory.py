"""Auditor-api 2: the tenant's computers, vulnerabilities, remediations and assets, and changes of resources."""

from typing import Any

import pytest

from portal.sandbox.kinds.inventory import CHECKS
from tests.sandbox.platform import Platform

LISTS = ("monitored-computers", "vulnerabilities", "vulnerability-remediations", "vulnerable-assets")


def audit(platform: Platform) -> str:
    return f"/audits/{platform.data('/audits')[0]['id']}"


def post(platform: Platform, path: str, *updates: dict[str, Any]) -> list[dict[str, Any]]:
    answer = platform.call("POST", path, json={"updates": [*updates]})
    assert answer.status_code == 200, answer.text
    results: list[dict[str, Any]] = answer.json["results"]
    return results


@pytest.mark.parametrize("name", LISTS)
def test_the_tenant_and_its_audits_have_lists_of_their_own(platform: Platform, name: str) -> None:
    own, audited = platform.data(f"/{name}"), platform.data(f"{audit(platform)}/{name}")
    assert len(own) >= 3 and len(audited) >= 3
    assert not {each["id"] for each in own} & {each["id"] for each in audited}


@pytest.mark.parametrize("name", [name for name in LISTS if name != "vulnerability-remediations"])
def test_one_is_found_by_its_id(platform: Platform, name: str) -> None:
    found = platform.data(f"/{name}")[0]
    assert platform.get(f"/{name}/{found['id']}") == found
    assert platform.call("GET", f"/{name}/nothing").status_code == 404


def test_only_the_tenant_itself_sees_what_mends_a_vulnerability(platform: Platform) -> None:
    own, audited = platform.data("/vulnerabilities")[0], platform.data(f"{audit(platform)}/vulnerabilities")[0]
    assert own.keys() - audited.keys() == {"externalId", "fixedVersion"}
    assert {each["fixedVersion"] is None for each in platform.data("/vulnerabilities")} == {True, False}


@pytest.mark.parametrize("of", ["tenant", "audit"])
def test_computers_are_found_by_what_is_wrong_with_them(platform: Platform, of: str) -> None:
    path = "/monitored-computers" if of == "tenant" else f"{audit(platform)}/monitored-computers"
    everything = platform.data(path)
    name = "complianceStatusFilterMatchesAny"
    for word, check in CHECKS.items():
        expected = [each for each in everything if each[check]["outcome"] == "FAIL"]
        assert expected
        assert platform.data(path, **{name: word}) == expected
    stale = platform.data(path, **{name: "LAST_CHECK_OVER_14_DAYS"})
    assert stale and stale == [min(everything, key=lambda each: str(each["lastCheckDate"]))]
    assert len(platform.data(path, **{name: [*CHECKS]})) == len(CHECKS)
    assert platform.call("GET", path, query_string={name: "SLOW"}).status_code == 400


@pytest.mark.parametrize("of", ["tenant", "audit"])
def test_vulnerabilities_are_filtered(platform: Platform, of: str) -> None:
    path, search = ("/vulnerabilities", "q") if of == "tenant" else (f"{audit(platform)}/vulnerabilities", "query")
    everything = platform.data(path)
    some = everything[0]

    def expect(query: dict[str, Any], fits: Any) -> None:
        expected = [each for each in everything if fits(each)]
        assert 0 < len(expected) < len(everything), query
        assert platform.data(path, **query) == expected, query

    expect({search: some["name"].upper()}, lambda each: each["name"] == some["name"])
    expect({"isDeactivated": "true"}, lambda each: each["deactivateMetadata"] is not None)
    expect({"isDeactivated": "false"}, lambda each: each["deactivateMetadata"] is None)
    expect({"isFixAvailable": "true"}, lambda each: each["isFixable"])
    expect({"externalVulnerabilityId": some["name"]}, lambda each: each["name"] == some["name"])
    expect(
        {"packageIdentifier": some["packageIdentifier"]}, lambda each: each["packageIdentifier"] == some["packageIdentifier"]
    )
    expect({"vulnerableAssetId": some["targetId"]}, lambda each: each["targetId"] == some["targetId"])
    expect({"severity": "HIGH"}, lambda each: each["severity"] == "HIGH")
    due = sorted(each["remediateByDate"] for each in everything if each["remediateByDate"])
    query = {"slaDeadlineAfterDate": due[1], "slaDeadlineBeforeDate": due[2]}
    expect(query, lambda each: each["remediateByDate"] in due[1:3])
    expect(
        query | {"includeVulnerabilitiesWithoutSlas": "true"},
        lambda each: each["remediateByDate"] in due[1:3] or each["remediateByDate"] is None,
    )
    assert platform.data(path, integrationId="other") == []
    assert platform.data(path, integrationId=some["integrationId"]) == everything


@pytest.mark.parametrize("of", ["tenant", "audit"])
def test_remediations_and_assets_are_filtered(platform: Platform, of: str) -> None:
    base, search = ("", "q") if of == "tenant" else (audit(platform), "query")
    path = f"{base}/vulnerability-remediations"
    everything = platform.data(path)
    in_time = platform.data(path, isRemediatedOnTime="true")
    assert in_time and all(each["remediationDate"] <= each["slaDeadlineDate"] for each in in_time)
    assert len(in_time) + len(platform.data(path, isRemediatedOnTime="false")) == len(everything)
    assert {each["severity"] for each in platform.data(path, severity="HIGH")} == {"high"}
    done = sorted(each["remediationDate"] for each in everything if each["remediationDate"])
    found = platform.data(path, remediatedAfterDate=done[1], remediatedBeforeDate=done[1])
    assert [each["remediationDate"] for each in found] == [done[1]]
    assert platform.data(path, integrationId="plumbline-scanner") == everything
    assert platform.data(path, integrationId="other") == []
    assets = platform.data(f"{base}/vulnerable-assets")
    for query, fits in (
        ({search: "GATEWAY"}, lambda each: each["name"] == "mail-gateway"),
        ({"assetType": "SERVER"}, lambda each: each["assetType"] == "SERVER"),
        ({"integrationId": "plumbline-scanner"}, lambda each: True),
        ({"assetExternalAccountId": "production"}, lambda each: True),
        ({"assetExternalAccountId": "other"}, lambda each: False),
    ):
        assert platform.data(f"{base}/vulnerable-assets", **query) == [each for each in assets if fits(each)], query


def test_vulnerabilities_are_deactivated_and_come_back_line_by_line(platform: Platform) -> None:
    one, other = (each["id"] for each in platform.data("/vulnerabilities", isDeactivated="false")[:2])
    line = {"deactivateReason": "Not used", "shouldReactivateWhenFixable": False}
    until = {"deactivateUntilDate": "2031-01-01"}
    lines = ({"id": one} | line, {"id": "nothing"} | line, {"id": other} | line | until)
    assert [each["status"] for each in post(platform, "/vulnerabilities/deactivate", *lines)] == ["SUCCESS", "ERROR", "SUCCESS"]
    for_good, for_a_while = (platform.get(f"/vulnerabilities/{each}")["deactivateMetadata"] for each in (one, other))
    assert (for_good["isVulnDeactivatedIndefinitely"], for_good["deactivationReason"]) == (True, "Not used")
    assert (for_a_while["isVulnDeactivatedIndefinitely"], for_a_while["deactivatedUntilDate"][:10]) == (False, "2031-01-01")
    assert post(platform, "/vulnerabilities/reactivate", {"id": one}) == [{"id": one, "status": "SUCCESS"}]
    assert platform.get(f"/vulnerabilities/{one}")["deactivateMetadata"] is None


def test_a_missed_deadline_is_acknowledged_with_a_reason(platform: Platform) -> None:
    path = "/vulnerability-remediations"
    late = next(each for each in platform.data(path, isRemediatedOnTime="false") if each["remediationDate"])
    good = platform.data(path, isRemediatedOnTime="true")[0]
    lines = [{"id": each, "slaViolationComment": "On leave"} for each in (late["id"], good["id"], "nothing")]
    assert [each["status"] for each in post(platform, f"{path}/acknowledge-sla-miss", *lines)] == ["SUCCESS", "ERROR", "ERROR"]
    assert platform.sandbox.objects.get(platform.tenant.id, path[1:], late["id"])["slaViolationComment"] == "On leave"
    assert platform.data(path) == platform.data(path), "nothing tells it"
    assert platform.call("POST", f"{path}/acknowledge-sla-miss", json={"updates": [{"id": late["id"]}]}).status_code == 400


@pytest.mark.parametrize("verb", ["vulnerabilities/deactivate", "vulnerabilities/reactivate"])
def test_at_most_fifty_are_changed_at_once(platform: Platform, verb: str) -> None:
    for number in (0, 51):
        assert platform.call("POST", f"/{verb}", json={"updates": [{"id": "x"}] * number}).status_code == 400
    assert platform.call("POST", f"/{verb}").json["errors"]["body"]["message"] == "'body' is required"


def resources(platform: Platform, kind: str = "StorageBucket") -> tuple[str, list[dict[str, Any]]]:
    path = f"/integrations/cloud-harbour/resource-kinds/{kind}/resources"
    return path, platform.data(path)


def test_kinds_are_a_bare_list_and_one_by_itself_is_counted(platform: Platform) -> None:
    listed = platform.get("/integrations/cloud-harbour/resource-kinds")
    assert isinstance(listed, list)
    names = {"integrationId", "resourceKind", "isScopable", "canUpdateDescription", "canUpdateOwner"}
    assert {frozenset(each) for each in listed} == {frozenset(names)}
    one = platform.get("/integrations/cloud-harbour/resource-kinds/StorageBucket")
    assert (one["numResources"], one["numInScope"], one["numOwned"], one["numWithDescription"]) == (3, 2, 2, 1)
    assert platform.get("/integrations/cloud-harbour/resource-kinds/StorageBucket", connectionId="other")["numResources"] == 0


@pytest.mark.parametrize(
    ("name", "field"), [("hasDescription", "description"), ("hasOwner", "owner"), ("isInScope", "inScope")]
)
def test_resources_are_filtered(platform: Platform, name: str, field: str) -> None:
    path, everything = resources(platform)
    for wanted in (True, False):
        expected = [each for each in everything if bool(each[field]) == wanted]
        assert 0 < len(expected) < len(everything)
        assert platform.data(path, **{name: str(wanted).lower()}) == expected
    assert platform.data(path, connectionId=everything[0]["connectionId"]) == everything
    assert platform.data(path, connectionId="other") == []


def test_a_resource_says_its_type_and_no_id_but_the_published_one(platform: Platform) -> None:
    _, (bucket, *_) = resources(platform)
    assert (bucket["responseType"], bucket["resourceKind"], "id" in bucket) == ("StorageBucket", "StorageBucket", False)
    assert bucket["isEncrypted"] is True and bucket["region"]
    targets = platform.data("/integrations/plumbline-scanner/resource-kinds/ScanTarget/resources")
    assert ["deletedDate" in each for each in targets].count(True) == 1


def test_resources_are_changed_one_by_one_or_many_at_once(platform: Platform) -> None:
    path, (one, other, *_) = resources(platform)
    user = platform.data("/users")[0]["id"]
    gone = next(each for each in platform.sandbox.objects.all(platform.tenant.id, "users") if not each["isActive"])["id"]
    lines = [
        {"id": one["resourceId"], "ownerId": user, "description": "Logs", "inScope": False},
        {"id": other["resourceId"], "ownerId": gone},
        {"id": other["resourceId"], "ownerId": "nobody"},
        {"id": "nothing", "inScope": True},
    ]
    answer = platform.call("PATCH", path, json={"updates": lines})
    assert [(each["id"], each["status"]) for each in answer.json["results"]] == [
        (line["id"], "ERROR" if number else "SUCCESS") for number, line in enumerate(lines)
    ]
    assert platform.get(f"{path}/{one['resourceId']}") == one | {"owner": user, "description": "Logs", "inScope": False}
    assert platform.get(f"{path}/{other['resourceId']}") == other
    single = platform.call("PATCH", f"{path}/{other['resourceId']}", json={"description": ""})
    assert (single.status_code, single.data) == (204, b"")
    assert platform.call("PATCH", f"{path}/{other['resourceId']}", json={"ownerId": "nobody"}).status_code in {404, 422}
    assert platform.call("PATCH", path).json["errors"]["body"]["message"] == "'body' is required"
    for wrong in ([], lines * 13, [{"id": "x", "more": 1}], [{"id": "x", "ownerId": None}]):
        assert platform.call("PATCH", path, json={"updates": wrong}).status_code == 400


def test_what_a_kind_does_not_let_change_is_an_error_of_its_line(platform: Platform) -> None:
    path, (account, *_) = resources(platform, "CloudAccount")
    answer = platform.call("PATCH", path, json={"updates": [{"id": account["resourceId"], "inScope": False}]})
    assert answer.json["results"][0]["message"] == "inScope of this kind of resource cannot be changed"
    bucket = resources(platform)[1][0]["resourceId"]
    answer = platform.call("PATCH", path, json={"updates": [{"id": bucket, "ownerId": platform.data("/users")[0]["id"]}]})
    assert answer.json["results"][0]["status"] == "ERROR"
