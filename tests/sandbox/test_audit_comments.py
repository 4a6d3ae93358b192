"""Specification 2.5, 6.2 and 7, platform-api 3.4: comments on requests, evidence and controls, with their events."""

from typing import Any

import pytest

from portal.sandbox.changes.audit_comments import ON_CONTROL, ON_EVIDENCE, ON_REQUEST, Family
from portal.sandbox.control.audit_events import AUDIT_HAPPENINGS
from tests.sandbox.platform import Platform
from tests.sandbox.test_audits import EMAIL, newest

PARTS = {"information-requests": ON_REQUEST, "evidence": ON_EVIDENCE, "controls": ON_CONTROL}
BODY = {"text": "Why?", "email": EMAIL, "creationDate": "2026-01-01T10:00:00+01:00"}


def subject(platform: Platform, part: str) -> tuple[str, dict[str, Any]]:
    """Return the path of comments on something, and how events name it."""
    audit = newest(platform)
    found = platform.data(f"{audit}/{part}")[0]["id"]
    return f"{audit}/{part}/{found}/comments", {"id": found, "auditId": audit.removeprefix("/audits/")}


def told(part: str, what: str, named: dict[str, Any], comment_id: str) -> tuple[str, Any]:
    family = PARTS[part]
    return f"{family.event}.{what}", {family.subject: named, "comment": {"id": comment_id}}


@pytest.mark.parametrize("part", PARTS)
def test_a_comment_is_added_and_told(platform: Platform, part: str) -> None:
    path, named = subject(platform, part)
    made = platform.call("POST", path, json=BODY)
    assert made.status_code == 200
    assert made.json == {
        "id": made.json["id"],
        PARTS[part].owner_field: named["id"],
        "text": "Why?",
        "email": EMAIL,
        "creationDate": "2026-01-01T09:00:00.000Z",
        "modificationDate": None,
        "deletionDate": None,
        **({"authorName": None} if PARTS[part].names_author else {}),
    }
    assert platform.data(path)[0] == made.json
    assert platform.messages() == [told(part, "created", named, made.json["id"])]


@pytest.mark.parametrize("part", ["information-requests", "controls"])
def test_a_comment_is_changed_and_deleted_softly(platform: Platform, part: str) -> None:
    path, named = subject(platform, part)
    comment_id = platform.call("POST", path, json=BODY).json["id"]
    one = f"{path}/{comment_id}"
    changed = platform.call("PATCH", one, json={"text": "Good.", "email": EMAIL}).json
    assert (changed["text"], bool(changed["modificationDate"])) == ("Good.", True)
    assert platform.call("DELETE", one, json={"email": EMAIL}).status_code == 204
    assert platform.call("PATCH", one, json={"text": "x", "email": EMAIL}).status_code == 404
    assert platform.call("DELETE", one, json={"email": EMAIL}).status_code == 404
    assert platform.messages() == [told(part, what, named, comment_id) for what in ("created", "updated", "deleted")]


def test_a_deleted_comment_on_a_request_stays_listed_and_readable(platform: Platform) -> None:
    path, _ = subject(platform, "information-requests")
    comment_id = platform.call("POST", path, json=BODY).json["id"]
    assert platform.call("DELETE", f"{path}/{comment_id}").status_code == 204
    assert platform.get(f"{path}/{comment_id}")["deletionDate"]
    assert platform.data(path)[0]["deletionDate"]


def test_a_deleted_comment_on_a_control_vanishes(platform: Platform) -> None:
    path, _ = subject(platform, "controls")
    comment_id = platform.call("POST", path, json=BODY).json["id"]
    platform.call("DELETE", f"{path}/{comment_id}", json={"email": EMAIL})
    assert comment_id not in [comment["id"] for comment in platform.data(path)]
    assert platform.call("DELETE", f"{path}/{comment_id}", json={}).status_code == 400


@pytest.mark.parametrize("wrong", [{"text": ""}, {"creationDate": "soon"}, {"email": None}])
def test_a_wrong_comment_is_400(platform: Platform, wrong: dict[str, Any]) -> None:
    path, _ = subject(platform, "evidence")
    answer = platform.call("POST", path, json=BODY | wrong)
    assert [*answer.json["errors"]] == [f"body.{name}" for name in wrong]


def test_an_audit_lists_the_comments_on_its_evidence_only(platform: Platform) -> None:
    audit = newest(platform)
    before = platform.data(f"{audit}/comments")
    now = platform.sandbox.clock.now().isoformat()
    for part in PARTS:
        platform.call("POST", subject(platform, part)[0], json=BODY | {"creationDate": now})
    found = platform.data(f"{audit}/comments")
    assert len(found) == len(before) + 1
    assert platform.data(f"{audit}/comments", changedSinceDate=now) == found[:1]


@pytest.mark.parametrize("family", PARTS.values(), ids=PARTS)
def test_comments_happen_in_the_platforms_own_application(platform: Platform, family: Family) -> None:
    for what in ("created", "updated", "deleted"):
        AUDIT_HAPPENINGS[f"{family.event}.{what}"](platform.sandbox, platform.tenant, None)
    assert [name for name, _ in platform.messages()] == [f"{family.event}.{what}" for what in ("created", "updated", "deleted")]
    assert len({payload["comment"]["id"] for _, payload in platform.messages()}) == 1
    newest_comment = platform.sandbox.objects.all(platform.tenant.id, family.kind, limit=1)[0]
    assert newest_comment["text"].endswith("(edited)") and newest_comment["deletionDate"]


def test_a_customer_submits_takes_back_and_brings_evidence(platform: Platform) -> None:
    requests = f"{newest(platform)}/information-requests"
    waiting = next(each for each in platform.data(requests) if each["approvalStatus"] == "NEEDS_EVIDENCE")["id"]
    for status in ("READY_FOR_AUDIT", "NEEDS_EVIDENCE"):
        platform.fire("v1.information-request.status-changed", object_id=waiting)
        assert platform.get(f"{requests}/{waiting}")["approvalStatus"] == status
    platform.fire("v1.information-request.evidence.created", object_id=waiting)
    piece = platform.data(f"{requests}/{waiting}/evidence")[0]
    platform.fire("v1.information-request.evidence.deleted", object_id=piece["id"])
    assert platform.get(f"{requests}/{waiting}/evidence/{piece['id']}")["deletionDate"]
    named = {"id": waiting, "auditId": requests.split("/")[2]}
    payload = {"informationRequest": named, "evidence": {"id": piece["id"]}}
    assert platform.messages()[-2:] == [
        ("v1.information-request.evidence.created", payload),
        ("v1.information-request.evidence.deleted", payload),
    ]


@pytest.mark.parametrize(
    ("status", "kind", "new"),
    [
        ("Not ready for audit", "Evidence Request", "Ready for audit"),
        ("Flagged", "Test", "Ready for audit"),
        ("Ready for audit", "Evidence Request", "Ready for audit"),
        ("Ready for audit", "Test", "Not ready for audit"),
    ],
)
def test_evidence_changes_by_itself(platform: Platform, status: str, kind: str, new: str) -> None:
    path = f"{newest(platform)}/evidence"
    item = next(each for each in platform.data(path) if (each["status"], each["evidenceType"]) == (status, kind))["id"]
    platform.fire("v1.evidence.status-changed", object_id=item)
    assert platform.get(f"{path}/{item}")["status"] == new


def test_what_cannot_happen_is_409(platform: Platform) -> None:
    path = f"{newest(platform)}/evidence"
    accepted = next(each for each in platform.data(path) if each["status"] == "Accepted")["id"]
    body = {"tenant_id": platform.tenant.id, "type": "v1.evidence.status-changed", "object_id": accepted}
    assert platform.http.post("/_control/events", json=body).status_code == 409
    assert platform.messages() == []
