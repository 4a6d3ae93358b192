"""Specification 2.1 and 4.1, platform-api 4.6: groups, who is in them, and people."""

from typing import Any

import pytest

from portal.sandbox.objects import Clause
from tests.sandbox.platform import Platform

INACTIVE = Clause(sql="NOT json_extract(body, '$.isActive')")


def group_named(platform: Platform, name: str) -> dict[str, Any]:
    return next(group for group in platform.data("/groups") if group["name"] == name)


def outsider(platform: Platform, group_id: str) -> dict[str, Any]:
    return next(person for person in platform.data("/people") if group_id not in person["groupIds"])


def post(platform: Platform, path: str, **body: Any) -> Any:
    answer = platform.call("POST", path, json=body)
    assert answer.status_code == (201 if path == "/groups" else 200), answer.text
    return answer.json


def test_a_group_counts_its_people(platform: Platform) -> None:
    for group in platform.data("/groups"):
        people = platform.get(f"/groups/{group['id']}/people")
        assert isinstance(people, list)
        assert len(people) == group["personnelCount"]
        assert all(group["id"] in person["groupIds"] for person in people)


def test_a_new_group_is_empty_and_made_by_hand(platform: Platform) -> None:
    user = platform.data("/users")[0]
    made = post(platform, "/groups", name="Night shift", pointOfContactEmail=user["email"])
    assert (made["description"], made["source"], made["personnelCount"]) == (None, "PLATFORM", 0)
    assert made["creationDate"]
    assert made["pointOfContact"] == {"email": user["email"], "displayName": user["displayName"]}
    assert platform.get(f"/groups/{made['id']}") == made
    assert platform.get(f"/groups/{made['id']}/people") == []
    assert post(platform, "/groups", name="Others", description=None, pointOfContactEmail=None)["pointOfContact"] is None
    gone = platform.sandbox.objects.all(platform.tenant.id, "users", where=[INACTIVE])[0]["email"]
    for body in ({"name": "Others"}, *({"name": "More", "pointOfContactEmail": each} for each in (gone, "a@b.example"))):
        assert platform.call("POST", "/groups", json=body).status_code == 422


def test_a_person_comes_and_goes(platform: Platform) -> None:
    group = group_named(platform, "Engineering")
    person = outsider(platform, group["id"])
    added = post(platform, f"/groups/{group['id']}/people", id=person["id"])
    assert added == person | {"groupIds": [*person["groupIds"], group["id"]]}
    assert platform.get(f"/people/{person['id']}") == added
    assert platform.get(f"/groups/{group['id']}")["personnelCount"] == group["personnelCount"] + 1
    assert post(platform, f"/groups/{group['id']}/people", id=person["id"]) == added
    gone = platform.call("DELETE", f"/groups/{group['id']}/people/{person['id']}")
    assert (gone.status_code, gone.json) == (200, person)
    assert platform.get(f"/groups/{group['id']}") == group
    assert platform.call("DELETE", f"/groups/{group['id']}/people/{person['id']}").status_code == 404


def test_a_person_nobody_knows_cannot_be_added(platform: Platform) -> None:
    group = group_named(platform, "Engineering")
    assert platform.call("POST", f"/groups/{group['id']}/people", json={"id": "nobody"}).status_code == 422
    needed = platform.call("POST", f"/groups/{group['id']}/people", json={})
    assert list(needed.json["errors"]) == ["body.id"]


def test_many_come_and_go_line_by_line(platform: Platform) -> None:
    group = group_named(platform, "Engineering")
    person = outsider(platform, group["id"])
    updates = [{"id": person["id"]}, {"id": "nobody"}]
    added = post(platform, f"/groups/{group['id']}/add-people", updates=updates)["results"]
    assert [line["status"] for line in added] == ["SUCCESS", "ERROR"]
    assert "nobody" in added[1]["message"]
    assert group["id"] in platform.get(f"/people/{person['id']}")["groupIds"]
    removed = post(platform, f"/groups/{group['id']}/remove-people", updates=updates * 2)["results"]
    assert [line["status"] for line in removed] == ["SUCCESS", "ERROR", "ERROR", "ERROR"]
    assert platform.get(f"/people/{person['id']}") == person


@pytest.mark.parametrize("updates", [[], [{"id": "x"}] * 101, [{}], [{"id": "x", "reason": "y"}]])
def test_lines_that_make_no_sense_are_400(platform: Platform, updates: list[Any]) -> None:
    group_id = platform.data("/groups")[0]["id"]
    answer = platform.call("POST", f"/groups/{group_id}/add-people", json={"updates": updates})
    assert answer.status_code == 400
    assert all(key.startswith("body.updates") for key in answer.json["errors"])


def test_groups_of_an_identity_provider_are_imported_once(platform: Platform) -> None:
    path = "/groups/importable-idp-groups"
    first = platform.data(path)[0]
    assert platform.data(path, search=first["name"].upper()) == [first]
    assert platform.data(path, integrationId=[first["integrationId"], "other"]) == platform.data(path)
    assert platform.data(path, integrationId="other") == []
    body = {"idpGroupIds": [first["id"], "nothing"]}
    done, failed = post(platform, "/groups/import-from-idp", **body)["results"]
    assert done["status"] == "SUCCESS"
    group = platform.get(f"/groups/{done['groupId']}")
    assert group["personnelCount"] == len(platform.get(f"/groups/{group['id']}/people")) > 0
    assert (group["name"], group["source"]) == (first["name"], first["integrationId"])
    assert (failed["status"], failed["reason"]) == ("ERROR", "NOT_FOUND")
    assert first not in platform.data(path)
    for wrong in ([], ["x"] * 101):
        assert platform.call("POST", "/groups/import-from-idp", json={"idpGroupIds": wrong}).status_code == 400


def test_filters_of_people(platform: Platform) -> None:
    everybody = platform.data("/people")
    person = everybody[3]
    assert platform.data("/people", emailAndNameFilter=person["emailAddress"].upper()) == [person]
    assert person in platform.data("/people", emailAndNameFilter=person["name"]["last"].lower())
    for status in ("CURRENT", "ON_LEAVE", "FORMER"):
        expected = [each for each in everybody if each["employment"]["status"] == status]
        assert expected
        assert platform.data("/people", employmentStatus=status) == expected
    groups = person["groupIds"]
    assert platform.data("/people", groupIdsMatchesAny=groups) == [
        each for each in everybody if set(groups) & set(each["groupIds"])
    ]
    late = platform.data("/people", tasksSummaryStatusMatchesAny="OVERDUE,OFFBOARDING_OVERDUE")
    assert late == [each for each in everybody if each["tasksSummary"]["status"].endswith("OVERDUE")]


def test_people_are_found_by_a_task_and_its_status(platform: Platform) -> None:
    found = platform.data("/people", taskTypeMatchesAny="ACCEPT_POLICIES", taskStatusMatchesAny="OVERDUE,DUE_SOON")
    assert found == [
        each
        for each in platform.data("/people")
        if each["tasksSummary"]["details"]["acceptPolicies"]["status"] in {"OVERDUE", "DUE_SOON"}
    ]
    alone = platform.call("GET", "/people", query_string={"taskTypeMatchesAny": "ACCEPT_POLICIES"})
    assert list(alone.json["errors"]) == ["taskStatusMatchesAny"]


def test_a_name_changes_as_a_pair(platform: Platform) -> None:
    person = platform.data("/people")[0]
    path = f"/people/{person['id']}"
    sent = {"name": {"first": "Kim", "last": "Lee"}, "employment": {"startDate": "2024-05-06"}}
    changed = platform.call("PATCH", path, json=sent).json
    assert changed["name"] == {"display": "Kim Lee", "first": "Kim", "last": "Lee"}
    assert changed["employment"] == person["employment"] | {"startDate": "2024-05-06T00:00:00.000Z"}
    assert platform.get(path) == changed
    half = platform.call("PATCH", path, json={"name": {"last": "Lee"}})
    assert list(half.json["errors"]) == ["body.name.first"]


def test_leave_is_taken_and_called_off(platform: Platform) -> None:
    person = platform.data("/people", employmentStatus="CURRENT")[0]
    path = f"/people/{person['id']}"
    coming = post(platform, f"{path}/set-leave", startDate="2050-01-01", endDate="2050-02-01")
    assert (coming["leaveInfo"]["status"], coming["employment"]["status"]) == ("UPCOMING", "CURRENT")
    away = post(platform, f"{path}/set-leave", startDate="2020-01-01", endDate=None)
    assert (away["leaveInfo"]["status"], away["employment"]["status"]) == ("ACTIVE", "ON_LEAVE")
    assert platform.call("POST", f"{path}/set-leave", json={"startDate": "2020-01-01"}).status_code == 400
    assert platform.call("POST", f"{path}/clear-leave").json == person
    assert platform.get(path) == person


def test_accounts_are_marked_as_people_and_back(platform: Platform) -> None:
    person = platform.data("/people")[0]
    updates = [{"id": person["id"], "reason": "A robot."}]
    marked = post(platform, "/people/mark-as-not-people", updates=updates)["results"]
    assert marked == [{"id": person["id"], "status": "SUCCESS"}]
    assert platform.call("GET", f"/people/{person['id']}").status_code == 404
    group = platform.get(f"/groups/{person['groupIds'][0]}")
    assert group["personnelCount"] == len(platform.get(f"/groups/{group['id']}/people"))
    lines = [{"id": person["id"]}, {"id": person["id"]}, {"id": "nobody"}]
    back = post(platform, "/people/mark-as-people", updates=lines)["results"]
    assert [line["status"] for line in back] == ["SUCCESS", "SUCCESS", "ERROR"]
    assert platform.get(f"/people/{person['id']}") == person
    assert platform.call("POST", "/people/mark-as-not-people", json={"updates": lines}).status_code == 400


def test_people_are_offboarded_once_they_have_left_with_nothing_open(platform: Platform) -> None:
    current, former = (platform.data("/people", employmentStatus=status)[0] for status in ("CURRENT", "FORMER"))
    former |= {"userId": None}
    offboarding = former["tasksSummary"]["details"]["completeOffboardingCustomTasks"]

    def offboard(person_id: str, *, by: str = current["id"], **changes: Any) -> str:
        platform.sandbox.objects.save(platform.tenant.id, "people", former | changes)
        (line,) = post(platform, "/people/offboard", updates=[{"id": person_id, "acknowledgerId": by}])["results"]
        return str(line.get("message", line["status"]))

    user = platform.data("/users")[0]["id"]
    assert offboard(current["id"]) == "The person has not left yet"
    assert offboard("nobody") == "Person with id: nobody not found"
    assert offboard(former["id"], by=user) == f"Person with id: {user} not found"
    assert offboard(former["id"], userId=user) == "The person has accounts that are not deactivated"
    offboarding["status"] = "OVERDUE"
    assert offboard(former["id"]) == "The person has offboarding tasks that are not complete"
    offboarding["status"] = "COMPLETE"
    assert offboard(former["id"]) == "SUCCESS"
    assert platform.get(f"/people/{former['id']}")["tasksSummary"]["status"] == "OFFBOARDING_COMPLETE"


@pytest.mark.parametrize(("verb", "most"), [("mark-as-people", 100), ("mark-as-not-people", 100), ("offboard", 1000)])
def test_so_many_lines_and_no_more_are_taken_at_once(platform: Platform, verb: str, most: int) -> None:
    more = {"mark-as-not-people": {"reason": "x"}, "offboard": {"acknowledgerId": "x"}}.get(verb, {})
    sizes = {
        size: platform.call("POST", f"/people/{verb}", json={"updates": [{"id": "x"} | more] * size}) for size in (0, most + 1)
    }
    assert {size: answer.json["errors"]["body.updates"]["message"] for size, answer in sizes.items()} == {
        0: "minItems 1",
        most + 1: f"maxItems {most}",
    }


def test_who_left_is_no_longer_among_the_users_but_still_found(platform: Platform) -> None:
    gone = platform.sandbox.objects.all(platform.tenant.id, "users", where=[INACTIVE])[0]
    listed = platform.data("/users")
    assert gone["id"] not in [user["id"] for user in listed] and all(user["isActive"] for user in listed)
    assert platform.get(f"/users/{gone['id']}")["isActive"] is False


def test_what_a_directory_does_not_know_is_null(platform: Platform) -> None:
    everybody = platform.data("/people")
    assert {person["userId"] is None for person in everybody} == {True, False}
    little = next(person for person in everybody if person["name"]["first"] is None)
    assert (little["employment"]["jobTitle"], little["sources"]["emailAddress"]["resourceId"]) == (None, None)
