"""Platform-api 4.13: what an auditor sees of an organization, and assessments of controls."""

from typing import Any

import pytest

from tests.sandbox.platform import Platform
from tests.sandbox.test_audits import EMAIL, newest

LISTS = (
    *("integrations", "issues/snapshots", "risks/snapshots", "personnel/computers", "personnel/groups"),
    *("monitored-computers", "people", "vendors"),
    *("vulnerabilities", "vulnerability-remediations", "vulnerable-assets"),
)


@pytest.mark.parametrize("part", LISTS)
def test_every_list_has_something_of_its_audit_alone(platform: Platform, part: str) -> None:
    one, other = (platform.data(f"/audits/{audit['id']}/{part}") for audit in platform.data("/audits")[:2])
    assert len(one) >= 3
    assert not {each["id"] for each in one} & {each["id"] for each in other}


@pytest.mark.parametrize(
    ("part", "query", "field", "values"),
    [
        ("integrations", {"tagsMatchesAny": "SSO"}, "name", {"Gatehouse Identity"}),
        ("integrations", {"categoriesMatchesAny": "TASK_TRACKER,CLOUD_PROVIDER"}, "name", {"Cloud Harbour", "Codeloft"}),
        ("integrations", {"search": "HARBOUR"}, "name", {"Cloud Harbour"}),
        ("assets/code-changes", {"sourcesMatchesAny": ["github", "gitlab"]}, "source", {"github", "gitlab"}),
        ("assets/code-changes", {"search": "expired"}, "title", {"Refuse expired sessions"}),
        ("personnel/people", {"status": "PREVIOUSLY_EMPLOYED"}, "employmentStatus", {"PREVIOUSLY_EMPLOYED"}),
        ("personnel/computers", {"monitoredByMatchesAny": "Gatehouse Identity"}, "monitoredBy", {"Gatehouse Identity"}),
        ("managed-vendors", {"vendorStatusesMatchesAny": "ARCHIVED"}, "status", {"ARCHIVED"}),
        ("managed-vendors", {"inherentRiskMatchesAny": ["HIGH", "LOW"]}, "inherentRisk", {"HIGH", "LOW"}),
        ("controls", {"externalIdMatchesAny": ["A1.2", "CC6.1"]}, "externalId", {"A1.2", "CC6.1"}),
    ],
)
def test_lists_are_filtered(platform: Platform, part: str, query: dict[str, Any], field: str, values: set[str]) -> None:
    assert {found[field] for found in platform.data(f"{newest(platform)}/{part}", **query)} == values


def test_people_are_filtered_by_group(platform: Platform) -> None:
    path = f"{newest(platform)}/personnel"
    group = platform.data(f"{path}/groups")[0]
    found = platform.data(f"{path}/people", groupsMatchesAny=group["id"])
    assert found and all(person["groups"] == [{"name": group["name"]}] for person in found)
    service = platform.data(f"{path}/account-access/services")[0]["id"]
    accounts = platform.data(f"{path}/account-access/services/{service}")
    assert {account["status"] for account in accounts} == {"ACTIVE", "DEACTIVATED"}
    owners = [computer["owner"]["name"] for computer in platform.data(f"{path}/computers", orderBy="owner")]
    assert owners == sorted(owners)


def test_code_changes_have_no_parameters_of_older_days(platform: Platform) -> None:
    path = f"{newest(platform)}/assets/code-changes"
    closed = sorted(change["closedDate"] for change in platform.data(path) if change["closedDate"])
    found = platform.data(path, closedAfterDate=closed[1], closedBeforeDate=closed[1])
    assert [change["closedDate"] for change in found] == [closed[1]]


@pytest.mark.parametrize("field", ["createdAt", "lastModifiedAt", "detectedAt"])
def test_issues_are_sorted_the_newest_first_unless_told(platform: Platform, field: str) -> None:
    path = f"{newest(platform)}/issues/items"
    dates = [issue[field] for issue in platform.data(path, orderBy=field)]
    assert dates == sorted(dates, reverse=True)
    assert [issue[field] for issue in platform.data(path, orderBy=field, orderDirection="asc")] == dates[::-1]
    assert platform.call("GET", path, query_string={"orderBy": "title"}).status_code == 400


def test_issues_are_filtered(platform: Platform) -> None:
    path = f"{newest(platform)}/issues/items"
    issues = platform.data(path)
    assert [issue["createdAt"] for issue in issues] == sorted((issue["createdAt"] for issue in issues), reverse=True)
    assert platform.data(path, createdAfterDate=issues[0]["createdAt"]) == issues[:1]
    detected = sorted(issue["detectedAt"] for issue in issues)
    assert len(platform.data(path, detectedBeforeDate=detected[1])) == 2
    assert platform.data(path, snapshotIdMatchesAny=issues[0]["snapshotId"]) == issues
    assert platform.data(path, snapshotIdMatchesAny="x") == []
    assert {"approvedCount": 1, "totalApprovers": 2} in [issue["approvalProgress"] for issue in issues]


def test_a_control_is_assessed_by_segment_or_as_a_whole(platform: Platform) -> None:
    audit = newest(platform)
    control = f"{audit}/controls/{platform.data(f'{audit}/controls')[0]['id']}"
    segments = [segment["id"] for segment in platform.get(audit)["segments"]]
    none = {"assessmentState": "NOT_ASSESSED", "justification": None}
    assert platform.data(f"{audit}/controls")[0]["assessments"] == [{"segmentId": each} | none for each in segments]
    body = {"assessmentState": "IN_PLACE", "justification": "Seen", "auditorEmail": EMAIL}
    whole = platform.call("PUT", f"{control}/assessment", json=body).json["assessments"]
    assert {each["segmentId"] for each in whole} == set(segments)
    change = {"segmentId": segments[0], "assessmentState": "PARTIAL"}
    one = platform.call("PUT", f"{control}/assessment", json=body | change).json["assessments"]
    assert {each["segmentId"]: each["assessmentState"] for each in one} == {segments[0]: "PARTIAL", segments[1]: "IN_PLACE"}
    assert platform.call("PUT", f"{control}/assessment", json=body | {"segmentId": "x"}).status_code == 422
    assert platform.call("PUT", f"{control}/assessment", json={}).status_code == 400
    assert platform.call("PUT", f"{control}/assessment", json=body | {"assessmentState": "PASSED"}).status_code == 400


def test_a_custom_control_has_a_category(platform: Platform) -> None:
    path = f"{newest(platform)}/controls"
    body = {"externalId": "X-1", "name": None, "description": "", "effectiveDate": "2026-01-01", "category": "PRIVACY"}
    nothing = {"sections": None, "role": None}
    made = platform.call("POST", f"{path}/custom-controls", json=body | nothing)
    assert (made.status_code, made.json["name"], made.json["domains"]) == (201, "X-1", ["PRIVACY"])
    assert (made.json["owner"], made.json["customFields"], "role" in made.json) == (None, [], False)
    more = {"sections": [{"frameworkId": "SOC_2", "sectionId": "CC1.1"}], "role": "BOTH"}
    platform.call("POST", f"{path}/custom-controls", json=body | more)
    listed, before = platform.data(path)[:2]
    assert before.items() >= made.json.items()
    assert (listed["role"], listed["sections"]) == ("BOTH", [{"name": "CC1.1", "framework": "SOC_2", "principle": None}])
    assert listed["creationDate"] == "2026-01-01T00:00:00.000Z"
    audit = platform.get(newest(platform))
    assert (listed["framework"], listed["inScopeSegmentIds"]) == (
        audit["framework"],
        [segment["id"] for segment in audit["segments"]],
    )
    for wrong in ({"domain": "PRIVACY"}, {"category": "ACCESS"}, {"customFields": []}):
        assert platform.call("POST", f"{path}/custom-controls", json=body | wrong).status_code == 400


def test_only_snapshots_of_tests_have_details(platform: Platform) -> None:
    path = f"{newest(platform)}/information-requests"
    evidence = f"{path}/{platform.data(path)[0]['id']}/evidence"
    for kind, status in (("PLATFORM_TEST_SNAPSHOT", 200), ("OBSERVATION", 404)):
        found = platform.data(evidence, evidenceTypeMatchesAny=kind)
        assert [each["evidenceType"] for each in found] == [kind]
        answer = platform.call("GET", f"{evidence}/{found[0]['id']}/test-snapshot")
        assert answer.status_code == status
        assert status == 404 or (answer.json["apiRequests"] and answer.json["outOfScopeResources"])


def test_an_auditor_is_added(platform: Platform) -> None:
    sent = {"email": EMAIL, "givenName": "Ada", "familyName": "Berg"}
    made = platform.call("POST", "/auditors", json=sent)
    assert made.json == sent | {name: made.json[name] for name in ("id", "organizationId")}
    again = platform.call("POST", "/auditors", json=sent | {"email": EMAIL.upper(), "givenName": "Another"})
    assert (again.status_code, again.json) == (200, made.json)
    evidence = f"{newest(platform)}/evidence"
    comments = f"{evidence}/{platform.data(evidence)[0]['id']}/comments"
    for email, name in ((EMAIL, "Ada Berg"), ("b@firm.example", None)):
        body = {"text": "x", "email": email, "creationDate": "2026-01-01"}
        assert platform.call("POST", comments, json=body).json["authorName"] == name


def test_an_auditor_application_is_let_in_and_a_management_one_is_not(strict: Platform) -> None:
    strict.headers = {"Authorization": f"Bearer {strict.issue('auditor', 'auditor-api.audit:read')}"}
    assert strict.call("GET", newest(strict)).status_code == 200
    strict.headers = {}
    assert strict.call("GET", "/audits").status_code == 403
