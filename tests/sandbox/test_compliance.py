"""Platform-api 4.10 and 4.12: controls, frameworks, tests, policies, integrations, the event log."""

from typing import Any

import pytest

from tests.sandbox.platform import Platform

NEW = {"externalId": "C-1", "name": None, "description": "x", "effectiveDate": "2026-01-01", "domain": "PRIVACY"}


def test_a_control_of_the_tenants_own_is_created_changed_and_deactivated(platform: Platform) -> None:
    made = platform.call(
        "POST", "/controls", json=NEW | {"role": "BOTH", "sections": [{"frameworkId": "soc2", "sectionId": "CC6.1"}]}
    )
    assert made.status_code == 201
    assert (made.json["name"], made.json["source"], made.json["domains"]) == ("C-1", "Custom", ["PRIVACY"])
    path = f"/controls/{made.json['id']}"
    assert made.json["id"] in [control["id"] for control in platform.data("/controls", frameworkMatchesAny="soc2,gdpr")]
    changed = platform.call("PATCH", path, json={"domain": "PHYSICAL", "note": "Why", "name": "Better"})
    assert (changed.json["domains"], changed.json["note"], changed.json["name"]) == (["PHYSICAL"], "Why", "Better")
    assert platform.get(path) == changed.json
    assert platform.call("DELETE", path).status_code == 204
    assert platform.call("GET", path).status_code == 404
    for listed in ("deactivated-controls", "controls-library"):
        kept = platform.data(f"/controls/{listed}")[0]
        assert (kept["id"], kept["frameworks"][0]["sections"]) == (made.json["id"], ["CC6.1"])


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"role": "NONE"}, 400),
        ({"effectiveDate": "soon"}, 400),
        ({"domain": "ACCESS"}, 400),
    ],
)
def test_a_wrong_control_is_refused(platform: Platform, change: dict[str, Any], status: int) -> None:
    assert platform.call("POST", "/controls", json=NEW | change).status_code == status


def test_a_deactivated_control_comes_back_with_its_frameworks(platform: Platform) -> None:
    deactivated = platform.data("/controls/deactivated-controls")[0]
    added = platform.call("POST", "/controls/add-from-library", json={"controlId": deactivated["id"]})
    assert platform.get(f"/controls/{added.json['id']}")["status"] == "NO_EVIDENCE_MAPPED"
    framework = deactivated["frameworks"][0]["id"]
    assert deactivated["id"] in [control["id"] for control in platform.data(f"/frameworks/{framework}/controls")]
    assert deactivated not in platform.data("/controls/deactivated-controls")
    assert platform.call("POST", "/controls/add-from-library", json={"controlId": deactivated["id"]}).status_code == 422


def test_documents_and_tests_are_mapped_and_counted(platform: Platform) -> None:
    path = f"/controls/{platform.call('POST', '/controls', json=NEW).json['id']}"
    document = platform.data("/documents", statusMatchesAny="OK")[0]["id"]
    failing = platform.data("/tests", statusFilter="NEEDS_ATTENTION")[0]["id"]
    added = platform.call("POST", f"{path}/add-document-to-control", json={"documentId": document}).json
    assert (added["document"], added["control"]) == (platform.data(f"{path}/documents")[0], platform.data("/controls")[0])
    first = platform.get(path)
    assert (first["numDocumentsPassing"], first["numDocumentsTotal"], first["status"]) == (1, 1, "COMPLETED")
    platform.call("POST", f"{path}/add-document-to-control", json={"documentId": document})
    proved = platform.call("POST", f"{path}/add-test-to-control", json={"testId": failing}).json
    assert (proved["test"]["id"], proved["control"]["id"]) == (failing, first["id"])
    second = platform.get(path)
    assert (second["numDocumentsTotal"], second["numTestsPassing"], second["numTestsTotal"]) == (1, 0, 1)
    assert second["status"] == "IN_PROGRESS"
    assert [found["id"] for found in platform.data(f"{path}/documents")] == [document]
    assert [found["id"] for found in platform.data(f"{path}/tests")] == [failing]
    assert second["id"] in [control["id"] for control in platform.data(f"/documents/{document}/controls")]
    assert failing in [found["id"] for found in platform.data("/tests", controlFilter=second["id"])]
    for part in (f"documents/{document}", f"tests/{failing}"):
        assert platform.call("DELETE", f"{path}/{part}").status_code == 204
        assert platform.call("DELETE", f"{path}/{part}").status_code == 404
    assert platform.get(path)["status"] == "NO_EVIDENCE_MAPPED"
    assert platform.call("POST", f"{path}/add-test-to-control", json={"testId": "x"}).status_code == 422


def test_a_deleted_document_leaves_its_controls(platform: Platform) -> None:
    document = next(found["id"] for found in platform.data("/documents") if platform.data(f"/documents/{found['id']}/controls"))
    control = platform.data(f"/documents/{document}/controls")[0]["id"]
    platform.call("DELETE", f"/documents/{document}")
    assert document not in [found["id"] for found in platform.data(f"/controls/{control}/documents")]


def test_an_owner_is_set_and_cleared(platform: Platform) -> None:
    path, user = f"/controls/{platform.data('/controls')[0]['id']}", platform.data("/users")[0]
    owner = {"id": user["id"], "emailAddress": user["email"], "displayName": user["displayName"]}
    assert platform.call("POST", f"{path}/set-owner", json={"userId": user["id"]}).json["owner"] == owner
    assert platform.call("POST", f"{path}/set-owner", json={"userId": None}).json["owner"] is None
    assert platform.call("POST", f"{path}/set-owner", json={"userId": "x"}).status_code == 422


def test_details_are_read_and_not_listed(platform: Platform) -> None:
    control, framework = platform.data("/controls")[0], platform.data("/frameworks")[0]
    assert "status" not in control and "requirementCategories" not in framework
    assert platform.get(f"/controls/{control['id']}")["status"]
    assert platform.get(f"/frameworks/{framework['id']}")["requirementCategories"][0]["requirements"]


@pytest.mark.parametrize(
    ("name", "value", "field"),
    [
        ("statusFilter", "NEEDS_ATTENTION", "status"),
        ("integrationFilter", "codeloft", "integrations"),
    ],
)
def test_tests_are_filtered(platform: Platform, name: str, value: str, field: str) -> None:
    found = platform.data("/tests", **{name: value})
    assert found and all(test[field] in (value, [value]) for test in found)
    assert len(found) < len(platform.data("/tests"))


def test_tests_are_filtered_by_owner_framework_and_rollout(platform: Platform) -> None:
    everything = platform.data("/tests")
    owner = everything[0]["owner"]["id"]
    assert {test["owner"]["id"] for test in platform.data("/tests", ownerFilter=owner)} == {owner}
    assert [test["status"] for test in platform.data("/tests", isInRollout="true")] == ["INVALID"]
    assert {test["category"] for test in platform.data("/tests", categoryFilter="ACCOUNTS_ACCESS")} == {"Accounts access"}
    assert platform.call("GET", "/tests", query_string={"categoryFilter": "Accounts access"}).status_code == 400
    assert platform.data("/tests", frameworkFilter="soc2")
    assert not platform.data("/tests", frameworkFilter="nope")


def test_an_entity_is_deactivated_with_the_next_run_and_comes_back(platform: Platform) -> None:
    test = platform.data("/tests", statusFilter="NEEDS_ATTENTION")[0]["id"]
    path = f"/tests/{test}/entities"
    failing = platform.data(path)
    assert {each["entityStatus"] for each in failing} == {"FAILING"}, "unless others are asked for"
    entity = f"{path}/{failing[0]['id']}"
    body = {"deactivateReason": "Not ours", "deactivateUntilDate": "2027-01-01"}
    assert platform.call("POST", f"{entity}/deactivate", json=body).status_code == 202
    assert platform.data(path) == failing
    run_tests(platform)
    assert platform.data(path) == []
    found = platform.data(path, entityStatus="DEACTIVATED")[0]
    assert (found["entityStatus"], found["deactivatedReason"]) == ("DEACTIVATED", "Not ours")
    assert platform.call("POST", f"{entity}/reactivate").status_code == 202
    run_tests(platform)
    assert platform.data(path)[0]["deactivatedReason"] is None
    assert platform.call("POST", f"{entity}/deactivate", json={"deactivateReason": ""}).status_code == 400


def run_tests(platform: Platform) -> None:
    platform.sandbox.clock.advance(60)
    platform.sandbox.deliver_due()


def test_resources_belong_to_their_kind_and_integration(platform: Platform) -> None:
    one, other = (found["integrationId"] for found in platform.data("/integrations")[:2])
    kind = platform.get(f"/integrations/{one}/resource-kinds")[0]["resourceKind"]
    resource = platform.data(f"/integrations/{one}/resource-kinds/{kind}/resources")[0]
    assert platform.get(f"/integrations/{one}/resource-kinds/{kind}/resources/{resource['resourceId']}") == resource
    assert platform.call("GET", f"/integrations/{other}/resource-kinds/{kind}").status_code == 404


def test_the_event_log_starts_where_it_is_told(platform: Platform) -> None:
    dates = sorted(entry["date"] for entry in platform.data("/event-logs"))
    found = [entry["date"] for entry in platform.data("/event-logs", startDate=dates[10])]
    assert sorted(found) == dates[10:]
    assert platform.call("GET", "/event-logs", query_string={"startDate": "soon"}).status_code == 400
