"""Specification 2.5, platform-api 4.7: documents, findings, reviews and assessments of vendors."""

import io
from typing import Any

import pytest

from tests.sandbox.platform import Platform


def first(platform: Platform) -> dict[str, Any]:
    found: dict[str, Any] = platform.data("/vendors")[0]
    return found


@pytest.mark.parametrize("of", ["vendor", "review"])
def test_documents_are_uploaded(platform: Platform, of: str) -> None:
    path = f"/vendors/{first(platform)['id']}"
    if of == "review":
        path += f"/security-reviews/{platform.data(f'{path}/security-reviews')[0]['id']}"
    path += "/documents"
    before = platform.data(path)
    form = {"file": (io.BytesIO(b"report"), "report.txt", "text/plain"), "type": "SOC_2_REPORT", "description": "New."}
    made = platform.call("POST", path, data=form).json
    assert (made["fileName"], made["title"], made["mimeType"]) == ("report.txt", "report.txt", "text/plain")
    assert made["uploadedBy"] == {"type": "APPLICATION", "id": platform.application("management")["client_id"]}
    assert platform.data(path) == [made, *before]
    assert platform.sandbox.objects.upload_of(platform.tenant.id, made["id"]) == (b"report", "text/plain")
    wrong = platform.call("POST", path, data={"file": (io.BytesIO(b"x"), "x.txt")})
    assert list(wrong.json["errors"]) == ["body.type"]
    if of == "review":
        assert platform.call("DELETE", f"{path}/{made['id']}").status_code == 204
        assert platform.data(path)[0]["deletionDate"]
        assert platform.call("DELETE", f"{path}/{made['id']}").status_code == 404


def test_findings_are_written_changed_and_deleted(platform: Platform) -> None:
    vendor = f"/vendors/{first(platform)['id']}"
    path, review, document = (
        f"{vendor}/findings",
        *(platform.data(f"{vendor}/{part}")[0]["id"] for part in ("security-reviews", "documents")),
    )
    sent = {"content": "No second factor.", "riskStatus": "REMEDIATE", "securityReviewId": review, "documentId": document}
    made = platform.call("POST", path, json=sent | {"remediation": {"state": "OPEN"}}).json
    assert made == sent | {
        "id": made["id"],
        "vendorId": first(platform)["id"],
        "remediation": {"state": "OPEN", "requirementNotes": None},
    }
    for query in ({"securityReviewId": review}, {"documentId": document}):
        assert made in platform.data(path, **query)
    assert platform.data(path, securityReviewId="other") == []
    one = f"{path}/{made['id']}"
    changed = platform.call("PATCH", one, json={"riskStatus": "ACCEPT", "remediation": {"requirementNotes": "Soon."}}).json
    assert changed == made | {"riskStatus": "ACCEPT", "remediation": {"state": "OPEN", "requirementNotes": "Soon."}}
    for refused in ({"remediation": None}, {"securityReviewId": review}, {"documentId": None}):
        assert platform.call("PATCH", one, json=refused).status_code == 400
    assert platform.data(path)[0] == changed
    assert platform.call("DELETE", one).status_code == 204
    assert changed not in platform.data(path)
    assert platform.call("PATCH", one, json={}).status_code == 404


def test_a_finding_needs_content_and_known_references(platform: Platform) -> None:
    path = f"/vendors/{first(platform)['id']}/findings"
    assert list(platform.call("POST", path, json={"content": "x"}).json["errors"]) == ["body.riskStatus"]
    for field in ("securityReviewId", "documentId"):
        body = {"content": "x", "riskStatus": "NONE", field: "nothing"}
        assert platform.call("POST", path, json=body).status_code == 422


def test_parts_belong_to_their_vendor(platform: Platform) -> None:
    one, other = (f"/vendors/{vendor['id']}" for vendor in platform.data("/vendors")[:2])
    for part in ("security-reviews", "assessments"):
        found = platform.data(f"{one}/{part}")
        assert len(found) >= 3
        assert platform.get(f"{one}/{part}/{found[0]['id']}") == found[0]
        assert platform.call("GET", f"{other}/{part}/{found[0]['id']}").status_code == 404


def test_owners_have_an_address_and_teams_none(platform: Platform) -> None:
    reviews = [
        review for vendor in platform.data("/vendors") for review in platform.data(f"/vendors/{vendor['id']}/security-reviews")
    ]
    owners = [review["owner"] for review in reviews]
    assert None in owners
    assert {(owner["type"], owner["email"] is None) for owner in owners if owner} == {("USER", False), ("TEAM", True)}


def test_assessments_are_filtered(platform: Platform) -> None:
    path = f"/vendors/{first(platform)['id']}/assessments"
    everything = platform.data(path)
    done = platform.data(path, statusMatchesAny="COMPLETED,NOT_STARTED")
    assert done == [each for each in everything if each["status"] != "IN_PROGRESS"]
    of_type = everything[0]["assessmentType"]["id"]
    expected = [each for each in everything if each["assessmentType"]["id"] == of_type]
    assert platform.data(path, typeIdMatchesAny=[of_type, "other"]) == expected


def test_assessment_types_are_filtered_by_status(platform: Platform) -> None:
    path = "/vendor-assessment-types"
    archived = platform.data(path, status="ARCHIVED")
    assert archived and all(each["status"] == "ARCHIVED" for each in archived)
    assert len(archived) + len(platform.data(path, status="ACTIVE")) == len(platform.data(path))
    assert platform.get(f"{path}/{archived[0]['id']}") == archived[0]
    assert platform.call("GET", path, query_string={"status": "OLD"}).status_code == 400
