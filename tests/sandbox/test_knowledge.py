"""Platform-api 4.3 and 4.4: tags and their contexts, the knowledge base, the answer library."""

import io
import json
from typing import Any

import pytest

from portal.sandbox.changes import responses as responses_changes
from tests.sandbox.platform import Platform

CATEGORIES = "/customer-trust/tag-categories"
RESOURCES = "/knowledge-base/resources"
ANSWERS = "/knowledge-base/answer-library"
WRITABLE = ("EXTERNAL_TRUST_CENTER", "DOCUMENT_SHARING", "CONTROL_SHARING")


def matrix(platform: Platform, context: str) -> list[str]:
    found = platform.get(CATEGORIES, productContextIdsMatchesAny=context)["results"]
    return [category["id"] for category in found]


@pytest.mark.parametrize("context", WRITABLE)
def test_a_category_is_switched_on_and_off_for_a_context_and_repeats_change_nothing(platform: Platform, context: str) -> None:
    category_id = platform.get(CATEGORIES)["results"][-1]["id"]
    assert category_id not in matrix(platform, context)
    for _ in range(2):
        answer = platform.call("POST", f"{CATEGORIES}/{category_id}/product-contexts", json={"productContextId": context})
        assert answer.status_code == 204
        assert category_id in matrix(platform, context)
    for _ in range(2):
        assert platform.call("DELETE", f"{CATEGORIES}/{category_id}/product-contexts/{context}").status_code == 204
        assert category_id not in matrix(platform, context)


def test_the_questionnaire_context_can_be_asked_for_but_not_written(platform: Platform) -> None:
    category_id = matrix(platform, "QUESTIONNAIRE")[0]
    path = f"{CATEGORIES}/{category_id}/product-contexts"
    assert platform.call("POST", path, json={"productContextId": "QUESTIONNAIRE"}).status_code == 400
    assert platform.call("DELETE", f"{path}/QUESTIONNAIRE").status_code == 400
    assert platform.call("GET", CATEGORIES, query_string={"productContextIdsMatchesAny": "OTHER"}).status_code == 400


def test_a_category_comes_with_its_own_tags(platform: Platform) -> None:
    category = platform.get(CATEGORIES)["results"][0]
    found = platform.get(f"{CATEGORIES}/{category['id']}")
    assert found["category"] == category
    assert {tag["category"] for tag in found["tags"]} == {category["id"]}


def add_document(platform: Platform, **parts: str) -> Any:
    data = {"file": (io.BytesIO(b"%PDF-1.7 first"), "policy.pdf"), "title": "Policy", **parts}
    return platform.call("POST", f"{RESOURCES}/documents", data=data)


def test_a_file_is_added_read_at_its_signed_address_and_replaced(platform: Platform) -> None:
    made = add_document(platform, isUsedInQuestionnaires="true", customerVisibility="SHAREABLE").json
    assert (made["type"], made["isUsedInQuestionnaires"], made["expirationStatus"]) == ("FILE", True, "CURRENT")
    address = made["fileUrl"].removeprefix("http://localhost")
    assert platform.http.get(address).data == b"%PDF-1.7 first"
    replaced = platform.call(
        "POST", f"{RESOURCES}/documents/{made['id']}/upload", data={"file": (io.BytesIO(b"second"), "policy.txt")}
    )
    assert replaced.json["title"] == "Policy"
    assert platform.http.get(address).data == b"second"
    platform.sandbox.clock.advance(3601)
    assert platform.http.get(address).status_code == 403
    platform.headers = {}  # the token has run out as well
    fresh = platform.get(f"{RESOURCES}/{made['id']}")["fileUrl"].removeprefix("http://localhost")
    assert platform.http.get(fresh).data == b"second"


def test_a_file_is_not_changed_as_a_page_nor_a_page_as_a_file(platform: Platform) -> None:
    page = platform.call("POST", f"{RESOURCES}/webpages", json={"title": "Status", "url": "https://s.example/"}).json
    document = add_document(platform).json
    assert platform.call("PATCH", f"{RESOURCES}/documents/{page['id']}", json={"title": "x"}).status_code == 404
    assert platform.call("PATCH", f"{RESOURCES}/webpages/{document['id']}", json={"title": "x"}).status_code == 404
    assert platform.call("PATCH", f"{RESOURCES}/webpages/{page['id']}", json={"title": "x"}).json["title"] == "x"


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"title": "", "url": "https://s.example/"}, "body.title"),
        ({"title": "Status", "url": "no address"}, "body.url"),
        ({"title": "Status"}, "body.url"),
        ({"title": "Status", "url": "https://s.example/", "customerVisibility": "SHAREABLE"}, "body.customerVisibility"),
        ({"title": "Status", "url": "https://s.example/", "categoryId": "x"}, "body.categoryId"),
    ],
)
def test_a_wrong_page_is_400(platform: Platform, body: dict[str, Any], path: str) -> None:
    before = len(platform.data(RESOURCES))
    answer = platform.call("POST", f"{RESOURCES}/webpages", json=body)
    assert (answer.status_code, set(answer.json["errors"])) == (400, {path})
    assert len(platform.data(RESOURCES)) == before


def test_a_category_needs_a_visibility_that_visitors_have(platform: Platform) -> None:
    document = add_document(platform, customerVisibility="PRIVATE", categoryId="x").json
    assert document["categoryId"] is None
    path = f"{RESOURCES}/documents/{document['id']}"
    assert platform.call("PATCH", path, json={"categoryId": "x"}).status_code == 400
    changed = platform.call("PATCH", path, json={"categoryId": "x", "customerVisibility": "REQUEST_ACCESS"})
    assert changed.json["categoryId"] == "x"


def test_resources_are_searched_filtered_and_the_latest_change_comes_first(platform: Platform) -> None:
    oldest = platform.data(RESOURCES)[-1]
    kind = "documents" if oldest["type"] == "FILE" else "webpages"
    platform.call("PATCH", f"{RESOURCES}/{kind}/{oldest['id']}", json={"title": "Zebra crossing"})
    assert platform.data(RESOURCES)[0]["title"] == "Zebra crossing"
    assert [found["id"] for found in platform.data(RESOURCES, q="zebra")] == [oldest["id"]]
    assert {found["type"] for found in platform.data(RESOURCES, typeMatchesAny="URL")} == {"URL"}


def test_tags_match_any_within_a_category_and_all_across(platform: Platform) -> None:
    (one, two) = (platform.get(f"{CATEGORIES}/{category['id']}") for category in platform.get(CATEGORIES)["results"])
    first, second = ({"categoryId": each["category"]["id"], "tagId": each["tags"][0]["id"]} for each in (one, two))
    both = add_document(platform, tags=json.dumps([first, second])).json["id"]
    only = add_document(platform, tags=json.dumps([first])).json["id"]
    found = {each["id"] for each in platform.data(RESOURCES, matchesTags=json.dumps([first]))}
    assert {both, only} <= found
    found = {each["id"] for each in platform.data(RESOURCES, matchesTags=json.dumps([first, second]))}
    assert both in found
    assert only not in found
    body = {"question": "Q", "answer": "A", "tags": [first]}
    entry = platform.call("POST", ANSWERS, json=body).json["id"]
    assert entry in {each["id"] for each in platform.data(ANSWERS, matchesTags=json.dumps([first, second]))}
    assert platform.call("GET", ANSWERS, query_string={"matchesTags": "[1"}).status_code == 400


def test_an_answer_is_kept_changed_verified_and_deleted(platform: Platform) -> None:
    owner = platform.data("/users")[0]
    body = {"question": "Do you encrypt?", "answer": "Yes.", "ownerAssignment": {"type": "User", "id": owner["id"]}}
    made = platform.call("POST", ANSWERS, json=body).json
    assert made["ownerAssignment"] == {"type": "User", "id": owner["id"], "displayName": owner["displayName"]}
    path = f"{ANSWERS}/{made['id']}"
    platform.sandbox.clock.advance(60)
    verified = platform.call("POST", f"{path}/verify").json
    assert verified["lastVerified"] is not None
    assert {**verified, "lastVerified": None} == made
    expired = platform.call("POST", f"{path}/verify", json={"expirationDate": "2020-01-01T00:00:00Z"}).json
    assert expired["expirationStatus"] == "EXPIRED"
    assert platform.call("PATCH", path, json={"expirationDate": None}).json["expirationStatus"] == "CURRENT"
    assert platform.data(ANSWERS, q="ENCRYPT?")[0]["id"] == made["id"]
    assert platform.call("DELETE", path).status_code == 204
    assert platform.call("GET", path).status_code == 404


def test_a_look_at_a_resource_moves_its_end_of_validity(platform: Platform) -> None:
    path = f"{RESOURCES}/{platform.data(RESOURCES)[0]['id']}/verify"
    verified = platform.call("POST", path).json
    assert verified["lastVerified"] < verified["expirationDate"]
    assert verified["expirationStatus"] == "CURRENT"
    platform.sandbox.clock.advance(600)
    assert platform.call("POST", path, json={}).json["expirationDate"] > verified["expirationDate"]


def test_one_resource_and_one_answer_belong_to_a_team(platform: Platform) -> None:
    for path in (RESOURCES, ANSWERS):
        owners = [found["ownerAssignment"] for found in platform.data(path)]
        assert [owner["displayName"] for owner in owners if owner and owner["type"] == "Team"] == ["Security team"]


def test_an_owner_nobody_knows_is_422(platform: Platform) -> None:
    body = {"question": "Q", "answer": "A", "ownerAssignment": {"type": "User", "id": "nobody"}}
    assert platform.call("POST", ANSWERS, json=body).status_code == 422


@pytest.mark.parametrize(("body", "is_kept"), [({}, True), ({"shouldSyncApprovedToAnswerLibrary": False}, False)])
def test_completing_a_questionnaire_keeps_its_approved_answers_unless_told_not_to(
    platform: Platform, body: dict[str, bool], is_kept: bool
) -> None:
    questionnaire = platform.data("/customer-trust/questionnaires")[0]
    responses = f"/customer-trust/questionnaires/{questionnaire['id']}/responses"
    response = next(each for each in platform.data(responses) if each.get("answerPartsSchema"))
    part = next(key for key, schema in response["answerPartsSchema"]["properties"].items() if "enum" not in schema)
    platform.call("PATCH", f"{responses}/{response['id']}", json={"answerPartsValues": {part: "Quite uniquely answered."}})
    responses_changes.approve(platform.sandbox, platform.tenant, response["id"])
    platform.call("POST", f"/customer-trust/questionnaires/{questionnaire['id']}/complete", json=body)
    found = [each for each in platform.data(ANSWERS, q=response["question"]) if "uniquely answered" in each["answer"]]
    assert bool(found) == is_kept
