"""Platform-api 6: what the specification leaves open is a choice, and each choice has its effect."""

import json
from typing import Any

import pytest

from portal.sandbox.changes import access_requests
from portal.sandbox.switches import SWITCHES
from tests.sandbox.platform import Platform

QUESTIONNAIRES = "/customer-trust/questionnaires"


def switch(platform: Platform, **choices: bool) -> dict[str, bool]:
    answer: dict[str, bool] = platform.control("POST", "/switches", **choices)
    return answer


def questionnaire_in(platform: Platform, status: str) -> str:
    body = platform.sandbox.objects.all(platform.tenant.id, "questionnaires")[0] | {"status": status}
    platform.sandbox.objects.save(platform.tenant.id, "questionnaires", body)
    return str(body["id"])


def test_they_are_read_set_and_kept(platform: Platform) -> None:
    first = platform.control("GET", "/switches")
    assert first == {name: value for name, (value, _) in SWITCHES.items()}
    assert switch(platform, retry_after=False) == first | {"retry_after": False}
    answer = platform.http.post("/_control/switches", json={"other": True})
    assert answer.status_code == 400


def test_what_the_process_was_started_with_is_on() -> None:
    assert Platform(strict_transitions=True).control("GET", "/switches")["strict_transitions"] is True


def test_a_429_without_a_hint(platform: Platform) -> None:
    switch(platform, retry_after=False)
    platform.sandbox.limits.change({"management": 1})
    platform.call("GET", "/users")
    refused = platform.call("GET", "/users")
    assert refused.status_code == 429
    assert "Retry-After" not in refused.headers


def test_a_viewer_that_exists_is_answered_instead_of_a_409(platform: Platform) -> None:
    known = platform.data(platform.trust_center("/viewers"))[0]
    body = {
        "email": known["email"].upper(),
        "name": "K",
        "companyName": "B",
        "isNdaRequired": False,
        "accessLevel": "FULL_ACCESS",
    }
    assert platform.call("POST", platform.trust_center("/viewers"), json=body).status_code == 409
    switch(platform, conflict_for_viewers=False)
    assert platform.call("POST", platform.trust_center("/viewers"), json=body).json == known


def ask(platform: Platform, email: str, resource_ids: list[str] | None = None) -> str:
    """Let somebody ask for access; return the id of the request."""
    person = {"email": email, "name": "Kim Buyer", "companyName": "Buyer Ltd"}
    options: dict[str, Any] = {"person": person, "reason": "Onboarding", "resource_ids": resource_ids}
    return str(access_requests.receive(platform.sandbox, platform.tenant, **options)["id"])


def account_that_approves(platform: Platform, option: str) -> None:
    body = {"name": "Buyer", "emailDomain": "Buyer.example"}
    access = {"autoApprovalEnabled": True, "grantAccessOption": option}
    assert platform.call("POST", "/customer-trust/accounts", json=body | {"accessConfig": access}).status_code == 200


@pytest.mark.parametrize(
    ("option", "granted"),
    [("INCLUDE_EVERYTHING_REQUESTED", ("FULL_ACCESS", None)), ("INCLUDE_ONLY_CONFIGURED", ("PARTIAL_ACCESS", []))],
)
def test_an_account_approves_requests_of_its_domain(platform: Platform, option: str, granted: tuple[str, Any]) -> None:
    account_that_approves(platform, option)
    open_before = platform.data(platform.trust_center("/access-requests"))
    assert ask(platform, "a@buyer.example") == platform.data(platform.trust_center("/access-requests"))[0]["id"], "it is off"
    switch(platform, auto_approval=True)
    approved = ask(platform, "b@BUYER.example")
    assert ask(platform, "c@elsewhere.example") == platform.data(platform.trust_center("/access-requests"))[0]["id"]
    assert len(platform.data(platform.trust_center("/access-requests"))) == len(open_before) + 2
    historical = platform.data(platform.trust_center("/historical-access-requests"))[0]
    assert (historical["id"], historical["outcome"]) == (approved, "APPROVED")
    viewer = platform.data(platform.trust_center("/viewers"))[0]
    assert (viewer["email"], viewer["accessLevel"], viewer["resourceIds"]) == ("b@BUYER.example", *granted)
    of_request = {"trustCenter": {"slugId": platform.tenant.slug_id}, "accessRequest": {"id": approved}}
    told = [(kind, payload) for kind, payload in platform.messages() if payload.get("accessRequest") == {"id": approved}]
    assert told == [("v1.trust-center.access-request.approved", of_request | {"viewer": {"id": viewer["id"]}})]


def test_of_two_accounts_that_approve_none_does(platform: Platform) -> None:
    switch(platform, auto_approval=True)
    for _ in range(2):
        account_that_approves(platform, "INCLUDE_EVERYTHING_REQUESTED")
    assert ask(platform, "a@buyer.example") == platform.data(platform.trust_center("/access-requests"))[0]["id"]


def test_changes_of_callers_fire_no_events_but_those_of_the_platform_do(platform: Platform) -> None:
    switch(platform, events_of_callers=False)
    questionnaire_id = questionnaire_in(platform, "IN_PROGRESS")
    before = len(platform.messages())
    platform.call("PATCH", f"{QUESTIONNAIRES}/{questionnaire_id}", json={"status": "ON_HOLD"})
    assert len(platform.messages()) == before
    platform.fire(object_id=questionnaire_id)
    assert len(platform.messages()) == before + 1


def test_deliveries_in_an_envelope(platform: Platform) -> None:
    switch(platform, event_envelope=True)
    endpoint = platform.listen()
    platform.fire()
    platform.control("POST", f"/messages/{endpoint['endpoint_id']}/example", type="v1.questionnaire.created")
    platform.sandbox.deliver_due()
    fired, example = (json.loads(request.body or b"") for request in platform.receiver.received)
    assert fired["type"] == "v1.questionnaire.status-changed"
    assert set(fired["data"]["questionnaire"]) == {"id", "status"}
    assert example == {"type": "v1.questionnaire.created", "data": {"questionnaire": {"id": "123"}}}


def test_the_deprecated_answer_beside_the_parts(platform: Platform) -> None:
    questionnaire = platform.data(QUESTIONNAIRES)[0]
    path = f"{QUESTIONNAIRES}/{questionnaire['id']}/responses"
    assert all("answer" not in response for response in platform.data(path))
    switch(platform, legacy_answers=True)
    listed = platform.data(path)
    assert all(set(response["answer"]) == {"explanation", "multipleChoice"} for response in listed)
    assert platform.get(f"{path}/{listed[0]['id']}") == listed[0]


ALLOWED = [
    ("IN_PROGRESS", "IN_REVIEW"),
    ("ON_HOLD", "IN_PROGRESS"),
    ("IN_REVIEW", "APPROVED"),
    ("READY_FOR_REVIEW", "APPROVED"),
    ("APPROVED", "COMPLETE"),
    ("APPROVED", "IN_PROGRESS"),
    ("WAITING_ON_ANSWERS", "NO_LONGER_NEEDED"),
    ("COMPLETE", "COMPLETE"),
]
REFUSED = [
    ("IN_PROGRESS", "APPROVED"),
    ("IN_REVIEW", "COMPLETE"),
    ("COMPLETE", "IN_PROGRESS"),
    ("NO_LONGER_NEEDED", "IN_PROGRESS"),
    ("ERROR", "IN_PROGRESS"),
    ("PROCESSING", "IN_REVIEW"),
    ("APPROVED", "NO_LONGER_NEEDED"),
]


def move(platform: Platform, present: str, wanted: str) -> Any:
    one = f"{QUESTIONNAIRES}/{questionnaire_in(platform, present)}"
    verbs = {"APPROVED": "approve", "COMPLETE": "complete"}
    if wanted in verbs:
        return platform.call("POST", f"{one}/{verbs[wanted]}", json={})
    return platform.call("PATCH", one, json={"status": wanted, "displayName": "moved"})


def test_approvers_need_the_feature_where_it_is_switched_off(platform: Platform) -> None:
    one = f"{QUESTIONNAIRES}/{questionnaire_in(platform, 'IN_PROGRESS')}"
    approver = {"type": "User", "id": platform.data("/users")[0]["id"]}
    assert platform.call("PATCH", one, json={"approverAssignment": approver}).status_code == 200
    switch(platform, advanced_questionnaires=False)
    assert platform.call("PATCH", one, json={"approverAssignment": None}).status_code == 403
    assert platform.call("PATCH", one, json={"displayName": "Renamed"}).status_code == 200
    assert platform.get(one)["approverAssignment"]["id"] == approver["id"]


@pytest.mark.parametrize(("present", "wanted"), ALLOWED + REFUSED)
def test_unless_it_is_strict_every_move_is_allowed(platform: Platform, present: str, wanted: str) -> None:
    assert move(platform, present, wanted).json["status"] == wanted


@pytest.mark.parametrize(("present", "wanted"), ALLOWED)
def test_a_strict_platform_allows_what_stands_in_the_table(platform: Platform, present: str, wanted: str) -> None:
    switch(platform, strict_transitions=True)
    assert move(platform, present, wanted).json["status"] == wanted


@pytest.mark.parametrize(("present", "wanted"), REFUSED)
def test_a_strict_platform_refuses_the_rest_in_words_and_changes_nothing(platform: Platform, present: str, wanted: str) -> None:
    switch(platform, strict_transitions=True)
    before = platform.sandbox.objects.all(platform.tenant.id, "questionnaires")[0]["displayName"]
    refused = move(platform, present, wanted)
    assert refused.status_code == 422
    assert refused.json == {"message": f"A questionnaire that is {present} cannot become {wanted}"}
    after = platform.sandbox.objects.all(platform.tenant.id, "questionnaires")[0]
    assert (after["status"], after["displayName"]) == (present, before)


def test_an_unchanged_status_in_a_patch_is_no_move(platform: Platform) -> None:
    switch(platform, strict_transitions=True)
    assert move(platform, "ON_HOLD", "ON_HOLD").status_code == 200
