"""Specification 3.2 and 3.3: how information requests and evidence change their status, and what is told of it."""

import pytest

from portal.sandbox.changes import audits as changes
from portal.sandbox.kinds.audits.evidence import STATUSES
from tests.sandbox.platform import Platform
from tests.sandbox.test_audits import EMAIL, evidence_in, request_in, transition

STATUS_CHANGED = "v1.information-request.status-changed"
REQUEST_TABLE = [
    ("submit", "NEEDS_EVIDENCE", "READY_FOR_AUDIT"),
    ("approve", "READY_FOR_AUDIT", "AUDITOR_APPROVED"),
    ("flag", "READY_FOR_AUDIT", "AUDITOR_FLAGGED"),
    ("take back", "READY_FOR_AUDIT", "NEEDS_EVIDENCE"),
]
EVIDENCE_TABLE = [
    ("provide", "NOT_READY_FOR_AUDIT", "READY_FOR_AUDIT"),
    ("ACCEPT", "READY_FOR_AUDIT", "ACCEPTED"),
    ("FLAG", "READY_FOR_AUDIT", "FLAGGED"),
    ("address", "FLAGGED", "READY_FOR_AUDIT"),
    ("lose", "READY_FOR_AUDIT", "NOT_READY_FOR_AUDIT"),
]
WORDS = {changes.in_event(status): status for status in STATUSES}


@pytest.mark.parametrize(("trigger", "old", "new"), REQUEST_TABLE)
def test_a_request_moves_as_the_table_says_with_its_event(platform: Platform, trigger: str, old: str, new: str) -> None:
    path, request = request_in(platform, old)
    moved = changes.move_request(platform.sandbox, platform.tenant.id, request, trigger)
    assert platform.get(path)["approvalStatus"] == moved["approvalStatus"] == new
    named = {"id": request["id"], "auditId": path.split("/")[2], "oldStatus": old, "newStatus": new}
    assert platform.messages() == [(STATUS_CHANGED, {"informationRequest": named})]
    entry = platform.data(f"{path}/activity")[0]
    assert (entry["type"], entry["oldStatus"], entry["newStatus"]) == ("STATUS_CHANGED", old, new)


@pytest.mark.parametrize("status", ["NEEDS_EVIDENCE", "READY_FOR_AUDIT", "AUDITOR_APPROVED", "AUDITOR_FLAGGED"])
def test_a_request_moves_in_no_other_way(platform: Platform, status: str) -> None:
    _, request = request_in(platform, status)
    known = {trigger for trigger, old, _ in REQUEST_TABLE if old == status}
    for trigger in {trigger for trigger, _, _ in REQUEST_TABLE} - known:
        with pytest.raises(changes.Impossible):
            changes.move_request(platform.sandbox, platform.tenant.id, request, trigger)
    assert platform.messages() == []


@pytest.mark.parametrize(
    ("action", "body", "status"),
    [("accept-evidence", {}, "AUDITOR_APPROVED"), ("flag-evidence", {"reason": "Old"}, "AUDITOR_FLAGGED")],
)
def test_an_auditor_decides_once(platform: Platform, action: str, body: dict[str, str], status: str) -> None:
    path, _ = request_in(platform, "READY_FOR_AUDIT")
    decided = platform.call("POST", f"{path}/{action}", json={"auditorEmail": EMAIL} | body)
    assert (decided.status_code, decided.json["approvalStatus"]) == (200, status)
    assert platform.call("POST", f"{path}/{action}", json={"auditorEmail": EMAIL} | body).status_code == 422
    assert len(platform.messages()) == 1


def test_a_flag_needs_a_reason(platform: Platform) -> None:
    path, _ = request_in(platform, "READY_FOR_AUDIT")
    answer = platform.call("POST", f"{path}/flag-evidence", json={"auditorEmail": EMAIL, "reason": ""})
    assert [*answer.json["errors"]] == ["body.reason"]


@pytest.mark.parametrize(("trigger", "old", "new"), EVIDENCE_TABLE)
def test_evidence_moves_as_the_table_says_with_its_event(platform: Platform, trigger: str, old: str, new: str) -> None:
    path, item = evidence_in(platform, WORDS[old])
    changes.move_evidence(platform.sandbox, platform.tenant.id, item, trigger)
    assert platform.get(path)["status"] == WORDS[new]
    named = {"id": item["id"], "auditId": path.split("/")[2], "oldStatus": old, "newStatus": new}
    assert platform.messages() == [("v1.evidence.status-changed", {"evidence": named})]


@pytest.mark.parametrize(
    ("old", "name", "new"),
    [
        ("Ready for audit", "ACCEPT", "Accepted"),
        ("Ready for audit", "FLAG", "Flagged"),
        ("Accepted", "MARK_NA", "NA"),
        ("NA", "MARK_APPLICABLE", "Not ready for audit"),
        ("Accepted", "READY_FOR_AUDIT", "Ready for audit"),
    ],
)
def test_an_auditor_moves_evidence(platform: Platform, old: str, name: str, new: str) -> None:
    path, _ = evidence_in(platform, old)
    assert transition(platform, path, name).json["status"] == new
    assert len(platform.messages()) == 1


@pytest.mark.parametrize(("old", "name"), [("Not ready for audit", "ACCEPT"), ("Accepted", "FLAG"), ("NA", "MARK_NA")])
def test_what_the_status_does_not_allow_is_422(platform: Platform, old: str, name: str) -> None:
    path, _ = evidence_in(platform, old)
    assert transition(platform, path, name).status_code == 422
    assert platform.get(path)["status"] == old
    assert platform.messages() == []


def test_other_files_under_the_same_status_are_told(platform: Platform) -> None:
    _, item = evidence_in(platform, "Ready for audit")
    changes.move_evidence(platform.sandbox, platform.tenant.id, item, changes.REPLACE)
    told = platform.messages()[0][1]["evidence"]
    assert told["oldStatus"] == told["newStatus"] == "READY_FOR_AUDIT"


@pytest.mark.parametrize("trigger", [changes.BEGIN, "MARK_NA"])
def test_initialized_is_never_delivered(platform: Platform, trigger: str) -> None:
    _, item = evidence_in(platform, "Initialized")
    changes.move_evidence(platform.sandbox, platform.tenant.id, item, trigger)
    assert platform.messages() == []
