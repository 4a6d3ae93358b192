"""Platform-api 4.1.1-4.1.4: questionnaires."""

from datetime import datetime
from typing import Any

import pytest

from portal.sandbox.changes.questionnaires import PEOPLE_STATUSES
from portal.sandbox.kinds.questionnaires import EVENT_STATUSES, STATUSES
from tests.sandbox.platform import Platform

PATH = "/customer-trust/questionnaires"


def first(platform: Platform, **query: Any) -> dict[str, Any]:
    return platform.data(PATH, **query)[0]


def in_work(platform: Platform) -> dict[str, Any]:
    return first(platform, statusMatchesAny=["IN_PROGRESS", "IN_REVIEW"])


def test_the_specification_has_17_event_and_20_list_statuses() -> None:
    assert (len(EVENT_STATUSES), len(STATUSES)) == (17, 20)


def test_a_listed_questionnaire_is_the_one_that_is_read_alone(platform: Platform) -> None:
    questionnaire = first(platform)
    assert platform.get(f"{PATH}/{questionnaire['id']}") == questionnaire


@pytest.mark.parametrize("joined", [True, False])
def test_filters_by_status_and_type(platform: Platform, joined: bool) -> None:
    statuses = ["COMPLETE", "IN_REVIEW"]
    found = platform.data(PATH, statusMatchesAny=",".join(statuses) if joined else statuses)
    assert {questionnaire["status"] for questionnaire in found} == set(statuses)
    spreadsheets = platform.data(PATH, statusMatchesAny=statuses, typeMatchesAny="SPREADSHEET")
    assert spreadsheets == [questionnaire for questionnaire in found if questionnaire["type"] == "SPREADSHEET"]


def test_filters_by_name_in_any_case(platform: Platform) -> None:
    questionnaire = first(platform)
    platform.call("PATCH", f"{PATH}/{questionnaire['id']}", json={"displayName": "Übergröße 100% [x]"})
    assert [found["id"] for found in platform.data(PATH, q="üBERGRÖSSE 100%")] == [questionnaire["id"]]
    assert platform.data(PATH, q="100_") == []


def test_filters_by_owner_and_approver(platform: Platform) -> None:
    everything = platform.data(PATH)
    for name, field in (("ownerIdMatchesAny", "ownerAssignment"), ("approverIdMatchesAny", "approverAssignment")):
        person = next(found[field]["id"] for found in everything if field in found)
        expected = [found for found in everything if found.get(field, {}).get("id") == person]
        assert platform.data(PATH, **{name: person}) == expected


def test_filters_by_creation(platform: Platform) -> None:
    everything = platform.data(PATH)
    at = everything[4]["createdDate"]
    younger, older = platform.data(PATH, createdAfter=at), platform.data(PATH, createdBefore=at)
    assert {found["id"] for found in younger} == {found["id"] for found in everything if found["createdDate"] >= at}
    assert {found["id"] for found in older} == {found["id"] for found in everything if found["createdDate"] <= at}


@pytest.mark.parametrize("query", [{"statusMatchesAny": "DONE"}, {"typeMatchesAny": "PDF"}, {"createdAfter": "soon"}])
def test_a_filter_that_makes_no_sense_is_400(platform: Platform, query: dict[str, str]) -> None:
    answer = platform.call("GET", PATH, query_string=query)
    assert answer.status_code == 400
    assert set(answer.json["errors"]) == set(query)


@pytest.mark.parametrize("status", PEOPLE_STATUSES)
def test_a_status_change_is_logged_and_told_once(platform: Platform, status: str) -> None:
    questionnaire = first(platform, statusMatchesAny="COMPLETE")
    for _ in range(2):
        changed = platform.call("PATCH", f"{PATH}/{questionnaire['id']}", json={"status": status})
        assert changed.status_code == 200
    log = changed.json["statusLog"]
    assert [entry["status"] for entry in log[:2]] == [status, "COMPLETE"]
    assert log[0]["updatedBy"]["displayName"] == "Management application"
    assert changed.json["updatedDate"] > questionnaire["updatedDate"]
    assert "completedDate" not in changed.json
    payload = {"questionnaire": {"id": questionnaire["id"], "status": status}}
    assert platform.messages() == [("v1.questionnaire.status-changed", payload)]


@pytest.mark.parametrize("status", sorted(set(STATUSES) - set(PEOPLE_STATUSES)))
def test_other_statuses_cannot_be_patched(platform: Platform, status: str) -> None:
    questionnaire = in_work(platform)
    answer = platform.call("PATCH", f"{PATH}/{questionnaire['id']}", json={"status": status})
    assert answer.status_code == 400
    assert "body.status" in answer.json["errors"]
    assert platform.get(f"{PATH}/{questionnaire['id']}") == questionnaire


def test_omitted_fields_stay_and_null_takes_them_away(platform: Platform) -> None:
    questionnaire = next(found for found in platform.data(PATH) if {"dueDate", "ownerAssignment"} <= set(found))
    changed = platform.call(
        "PATCH", f"{PATH}/{questionnaire['id']}", json={"dueDate": None, "ownerAssignment": None, "metadata": []}
    ).json
    assert not {"dueDate", "ownerAssignment"} & set(changed)
    assert changed["metadata"] == []
    many = [{"key": f"key {number}", "value": ""} for number in range(31)]
    path = f"{PATH}/{questionnaire['id']}"
    assert platform.call("PATCH", path, json={"metadata": many}).json["metadata"] == many, "limits are those of creation"
    assert changed["displayName"] == questionnaire["displayName"]
    assert platform.messages() == []


def test_a_team_can_own(platform: Platform) -> None:
    questionnaire = in_work(platform)
    owner = {"type": "Team", "id": "team-1"}
    changed = platform.call("PATCH", f"{PATH}/{questionnaire['id']}", json={"ownerAssignment": owner}).json
    assert changed["ownerAssignment"] == owner | {"displayName": None}


def test_approve_and_complete(platform: Platform) -> None:
    one = f"{PATH}/{in_work(platform)['id']}"
    approved = platform.call("POST", f"{one}/approve", json={"statusChangeMessage": "Checked."})
    assert (approved.status_code, approved.json["status"]) == (200, "APPROVED")
    assert approved.json["statusLog"][0]["message"] == "Checked."
    completed = platform.call("POST", f"{one}/complete", json={"shouldSyncApprovedToAnswerLibrary": False})
    assert completed.json["status"] == "COMPLETE"
    assert datetime.fromisoformat(completed.json["completedDate"])
    assert platform.call("POST", f"{one}/approve").status_code == 400  # the object is required


def test_a_deleted_questionnaire_is_gone_with_its_responses(platform: Platform) -> None:
    questionnaire_id = in_work(platform)["id"]
    responses = platform.data(f"{PATH}/{questionnaire_id}/responses")
    answer = platform.call("DELETE", f"{PATH}/{questionnaire_id}")
    assert (answer.status_code, answer.data) == (204, b"")
    for path in ("", "/responses", f"/responses/{responses[0]['id']}"):
        gone = platform.call("GET", f"{PATH}/{questionnaire_id}{path}")
        assert gone.status_code == 404
    assert gone.json == {"message": f"Questionnaire with id: {questionnaire_id} not found"}
    assert platform.messages() == [("v1.questionnaire.deleted", {"questionnaire": {"id": questionnaire_id}})]


def test_assignable_users_are_the_active_ones(platform: Platform) -> None:
    active = {user["id"] for user in platform.data("/users") if user["isActive"]}
    results = platform.get(f"{PATH}/assignable-users", role="owner")["results"]
    assert set(results) == {"data"}
    assert {user["id"] for user in results["data"]} == active
    assert all(set(user) == {"id", "displayName"} for user in results["data"])
    name = results["data"][0]["displayName"]
    assert [user["displayName"] for user in platform.data(f"{PATH}/assignable-users", q=name.upper())] == [name]
    assert platform.call("GET", f"{PATH}/assignable-users", query_string={"role": "king"}).status_code == 400
