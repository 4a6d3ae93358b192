"""Specification 4.7 and 8, platform-api 4.13: audits, information requests and evidence, and their limits."""

from typing import Any
from uuid import UUID

import pytest

from portal.sandbox.api.table import ROUTES
from tests.sandbox.platform import Platform

EMAIL = "a@firm.example"


def newest(platform: Platform) -> str:
    return f"/audits/{platform.data('/audits')[0]['id']}"


def request_in(platform: Platform, status: str) -> tuple[str, dict[str, Any]]:
    """Return the path of the newest request in a status, and the request."""
    path = f"{newest(platform)}/information-requests"
    found = next(request for request in platform.data(path) if request["approvalStatus"] == status)
    return f"{path}/{found['id']}", found


def evidence_in(platform: Platform, status: str) -> tuple[str, dict[str, Any]]:
    path = f"{newest(platform)}/evidence"
    found = next(item for item in platform.data(path) if item["status"] == status)
    return f"{path}/{found['id']}", found


def transition(platform: Platform, path: str, name: str) -> Any:
    return platform.call("PATCH", path, json={"statusUpdate": {"auditorEmail": EMAIL, "stateTransition": name}})


def test_evidence_that_is_asked_for_comes_into_scope(platform: Platform) -> None:
    audit = newest(platform)
    control = platform.data(f"{audit}/controls")[0]
    body = {
        "controlIds": [control["id"]],
        "title": "Contracts",
        "description": "All",
        "cadence": "P1Y",
        "reminderWindow": "P1M",
        "isRestricted": False,
        "auditorEmail": EMAIL,
    }
    path = f"{audit}/evidence/custom-evidence-requests"
    made = platform.call("POST", path, json=body).json
    assert made == {"id": made["id"]} | {name: value for name, value in body.items() if name != "auditorEmail"}
    evidence = platform.data(f"{audit}/evidence")[0]
    assert (evidence["name"], evidence["evidenceId"]) == ("Contracts", made["id"])
    assert evidence["relatedControls"][0]["name"] == control["name"]
    assert str(UUID(evidence["externalId"])) == evidence["externalId"]
    payload = {"evidence": {"id": evidence["id"], "auditId": audit.removeprefix("/audits/")}}
    assert platform.messages() == [("v1.evidence.created", payload)]
    elsewhere = platform.data(f"/audits/{platform.data('/audits')[1]['id']}/controls")[0]["id"]
    for refused in ("x", elsewhere):
        assert platform.call("POST", path, json=body | {"controlIds": [refused]}).status_code == 422
    assert platform.call("POST", path, json=body | {"reminderWindow": "P1Y", "cadence": "P2Y"}).status_code == 200
    assert platform.call("POST", path, json=body | {"reminderWindow": "P9D"}).status_code == 400


def test_evidence_without_an_update_stays_as_it_is(platform: Platform) -> None:
    path, item = evidence_in(platform, "Ready for audit")
    assert platform.call("PATCH", path, json={}).json == item
    update = {"auditorEmail": EMAIL, "stateTransition": "ACCEPT", "more": 1}
    assert platform.call("PATCH", path, json={"statusUpdate": update}).json["status"] == "Accepted"


def test_files_of_evidence_answer_without_a_token(platform: Platform) -> None:
    path = f"{newest(platform)}/evidence"
    files = [file for item in platform.data(path) for file in platform.data(f"{path}/{item['id']}/urls")]
    answer = platform.http.get(files[0]["url"])
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    platform.sandbox.clock.advance(3601)
    assert platform.http.get(files[0]["url"]).status_code == 403


def test_the_request_list_tells_when_it_was_shared(platform: Platform) -> None:
    by_requests = {audit["id"]: "auditorRequestListMetadata" in audit for audit in platform.data("/audits")}
    assert {*by_requests.values()} == {True, False}
    path = newest(platform)
    before = platform.get(path)["auditorRequestListMetadata"]
    assert platform.call("POST", f"{path}/share-information-request-list").status_code == 204
    assert platform.get(path)["auditorRequestListMetadata"] != before


def test_evidence_out_of_scope_stays_readable_and_unchangeable_and_comes_back_as_it_was(platform: Platform) -> None:
    path, item = evidence_in(platform, "Accepted")
    platform.fire("v1.evidence.deleted", object_id=item["id"])
    assert platform.get(path)["deletionDate"]
    assert transition(platform, path, "MARK_NA").status_code == 404
    platform.fire("v1.evidence.created", object_id=item["id"])
    assert platform.get(path) == item
    assert [name for name, _ in platform.messages()] == ["v1.evidence.deleted", "v1.evidence.created"]


def test_a_request_is_created_changed_and_deleted_softly(platform: Platform) -> None:
    path = f"{newest(platform)}/information-requests"
    control = platform.data(f"{newest(platform)}/controls")[0]["id"]
    body = {"uniqueId": "N-1", "title": "More", "requestType": "SAMPLE", "frameworkCodes": ["CC6.1"]}
    made = platform.call("POST", path, json=body | {"dueDate": "2027-01-01", "additionalControlIds": [control]})
    assert made.status_code == 201
    assert (made.json["approvalStatus"], made.json["frameworkCodes"]) == ("NEEDS_EVIDENCE", [])
    assert made.json["dueDate"] == "2027-01-01T00:00:00.000Z"
    assert made.json in platform.data(f"{newest(platform)}/controls/{control}/information-requests")
    assert platform.call("POST", path, json=body).status_code == 409
    one = f"{path}/{made.json['id']}"
    assert platform.call("PATCH", one, json={"dueDate": None, "title": "Less"}).json["title"] == "Less"
    assert platform.call("PATCH", one, json={"uniqueId": "IR-1"}).status_code == 409
    assert platform.call("DELETE", one).status_code == 204
    assert platform.get(one)["deletionDate"]
    assert platform.call("PATCH", one, json={"title": "x"}).status_code == 404
    assert platform.call("DELETE", one).status_code == 404
    assert platform.call("POST", path, json=body | {"additionalControlIds": ["x"]}).status_code == 422
    assert platform.call("POST", path, json=body | {"requestType": "ALL"}).status_code == 400


def test_a_duplicate_has_the_requests_of_its_source_anew(platform: Platform) -> None:
    audit = newest(platform)
    requests = platform.data(f"{audit}/information-requests")
    platform.call("DELETE", f"{audit}/information-requests/{requests[0]['id']}")
    body = {
        "sourceAuditId": audit.removeprefix("/audits/"),
        "displayName": "Next year",
        "auditStartDate": "2027-01-01",
        "auditEndDate": "2027-03-31",
        "earlyAccessStartsAt": "2026-12-15",
        "allowAuditorEmails": [EMAIL],
    }
    made = platform.call("POST", "/audits/duplicate", json=body)
    assert made.status_code == 201
    assert (made.json["displayName"], made.json["auditStartDate"]) == ("Next year", "2027-01-01T00:00:00.000Z")
    copy = f"/audits/{made.json['id']}"
    copied = platform.data(f"{copy}/information-requests")
    assert [request["uniqueId"] for request in copied] == [request["uniqueId"] for request in requests[1:]]
    assert {request["approvalStatus"] for request in copied} == {"NEEDS_EVIDENCE"}
    segments = {segment["id"] for segment in made.json["segments"]}
    controls = {control["id"] for control in platform.data(f"{copy}/controls")}
    for request in copied:
        assert set(request["segmentIds"]) <= segments
        assert set(request["additionalControlIds"]) <= controls
    history = platform.data(f"{copy}/information-requests/{copied[0]['id']}/activity")
    source = (history[0]["sourceInformationRequestId"], history[0]["sourceAuditId"])
    assert source == (requests[1]["id"], body["sourceAuditId"])
    assert platform.get(f"{copy}/organization/information")["displayName"] == "Northwind"
    states = [each["assessmentState"] for control in platform.data(f"{copy}/controls") for each in control["assessments"]]
    assert {*states} == {"NOT_ASSESSED"} and {
        each["segmentId"] for control in platform.data(f"{copy}/controls") for each in control["assessments"]
    } == segments
    assert platform.call("POST", "/audits/duplicate", json=body | {"sourceAuditId": "x"}).status_code == 422


def test_up_to_200_audits_are_on_a_page(platform: Platform) -> None:
    assert platform.call("GET", "/audits", query_string={"pageSize": 200}).status_code == 200
    assert platform.call("GET", "/audits", query_string={"pageSize": 201}).status_code == 400


def test_audits_and_what_is_in_them_are_filtered_by_change(platform: Platform) -> None:
    active = platform.data("/audits", isActiveAudit="true")
    assert active and all(audit["completionDate"] is None for audit in active)
    assert len(active) + len(platform.data("/audits", isActiveAudit="false")) == len(platform.data("/audits"))
    path, _ = request_in(platform, "READY_FOR_AUDIT")
    parent = path.rsplit("/", 1)[0]
    now = platform.sandbox.clock.now().isoformat()
    assert platform.data(parent, changedSinceDate=now) == []
    platform.call("PATCH", path, json={"title": "New"})
    assert [request["title"] for request in platform.data(parent, changedSinceDate=now)] == ["New"]
    assert platform.call("GET", parent, query_string={"changedSinceDate": "soon"}).status_code == 400


def test_requests_are_filtered_by_segment(platform: Platform) -> None:
    path = f"{newest(platform)}/information-requests"
    segment = platform.data(path)[0]["segmentIds"][0]
    found = platform.data(path, segmentIdsMatchesAny=segment)
    assert 0 < len(found) < len(platform.data(path))
    assert all(request["segmentIds"] == [segment] for request in found)


BUCKETS = {
    "auditor_listed": {
        "PATCH /audits/<audit_id>/evidence/<audit_evidence_id>",
        "GET /audits/<audit_id>/framework-codes",
        "DELETE /audits/<audit_id>/information-requests/<information_request_id>",
        "POST /audits/<audit_id>/share-information-request-list",
    },
    "auditor_comments": {
        "POST /audits/<audit_id>/evidence/<audit_evidence_id>/comments",
        "PATCH /audits/<audit_id>/information-requests/<information_request_id>/comments/<request_comment_id>",
        "DELETE /audits/<audit_id>/information-requests/<information_request_id>/comments/<request_comment_id>",
    },
    "evidence_urls": {"GET /audits/<audit_id>/evidence/<audit_evidence_id>/urls"},
}


def test_every_endpoint_for_auditors_is_counted_where_the_specification_says() -> None:
    for route in ROUTES:
        if route.is_for_auditors:
            name = f"{route.method} {route.path}"
            listed = next((bucket for bucket, names in BUCKETS.items() if name in names), None)
            assert route.bucket == (listed or ("auditor" if route.method == "GET" else "auditor_writes")), name
    assert {route.is_for_auditors for route in ROUTES if route.path.startswith("/audit")} == {True}


def test_six_lists_are_deprecated() -> None:
    deprecated = {route.path.removeprefix("/audits/<audit_id>/") for route in ROUTES if route.is_deprecated}
    assert deprecated >= {
        *("monitored-computers", "people", "vendors"),
        *("vulnerabilities", "vulnerability-remediations", "vulnerable-assets"),
    }


@pytest.mark.parametrize(("bucket", "limit"), [("auditor_writes", 10), ("auditor_comments", 25)])
def test_writes_are_limited(platform: Platform, bucket: str, limit: int) -> None:
    path, _ = evidence_in(platform, "Ready for audit")
    platform.sandbox.limits.change({bucket: limit})
    send = {
        "auditor_writes": ("POST", "/auditors", {"email": EMAIL, "givenName": "A", "familyName": "B"}),
        "auditor_comments": ("POST", f"{path}/comments", {"text": "x", "email": EMAIL, "creationDate": "2026-01-01"}),
    }[bucket]
    statuses = [platform.call(send[0], send[1], json=send[2]).status_code for _ in range(limit + 1)]
    assert statuses == [200] * limit + [429]
