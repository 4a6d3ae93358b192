"""Platform-api 4.1.6: questions and answers."""

from typing import Any

import pytest

from tests.sandbox.platform import Platform

QUESTIONNAIRES = "/customer-trust/questionnaires"


def approved(platform: Platform) -> tuple[str, dict[str, Any]]:
    """Return the path and the body of a response that is answered and approved."""
    questionnaire = platform.data(QUESTIONNAIRES, statusMatchesAny="COMPLETE")[0]
    path = f"{QUESTIONNAIRES}/{questionnaire['id']}/responses"
    response = platform.data(path)[0]
    return f"{path}/{response['id']}", response


def text_part(response: dict[str, Any]) -> str:
    parts = response["answerPartsSchema"]["properties"]
    return next(name for name, part in parts.items() if part["type"] == "string" and "enum" not in part)


def save_schema(platform: Platform, response: dict[str, Any], **changes: Any) -> None:
    platform.sandbox.objects.save(platform.tenant.id, "responses", response | changes)


def test_the_list_is_in_document_order_and_searchable(platform: Platform) -> None:
    path, response = approved(platform)
    collection = path.rsplit("/", 1)[0]
    labels = [found["sequenceLabel"] for found in platform.data(collection)]
    assert labels[0] == "1.1"
    assert len(labels) == 4
    found = platform.data(collection, q=response["question"].upper())
    assert response["id"] in [hit["id"] for hit in found]
    assert platform.data(collection, q="no such question") == []
    assert platform.get(path) == response


def test_an_edit_changes_its_parts_only_and_drops_the_approval(platform: Platform) -> None:
    path, response = approved(platform)
    assert response["approvedBy"]
    part = text_part(response)
    edited = platform.call("PATCH", path, json={"answerPartsValues": {part: "New text"}})
    assert edited.status_code == 200
    assert edited.json["answerPartsValues"] == response["answerPartsValues"] | {part: "New text"}
    assert (edited.json["approvedBy"], edited.json["originType"]) == (None, "MANUAL")
    assert platform.get(path) == edited.json
    assert platform.call("PATCH", path, json={"answerPartsValues": {part: None}}).json["answerPartsValues"][part] is None


SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "one": {"type": "string", "enum": ["Yes", "No"]},
        "many": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
        "flag": {"type": "boolean"},
        "number": {"type": "number"},
        "tenths": {"type": "number", "multipleOf": 0.1},
    },
}


@pytest.mark.parametrize(
    ("values", "fits"),
    [
        ({"text": "x", "one": "No", "many": ["a", "b"], "flag": True, "number": 1.5}, True),
        ({"text": None, "one": None, "many": None, "flag": None, "number": None}, True),
        ({"many": []}, True),
        ({"tenths": 0.3}, True),
        ({"tenths": 0.35}, False),
        ({"text": 5}, False),
        ({"one": "Maybe"}, False),
        ({"many": ["c"]}, False),
        ({"many": "a"}, False),
        ({"flag": "true"}, False),
        ({"number": "1"}, False),
        ({"unknown": "x"}, False),
        ({"text": {"nested": 1}}, False),
    ],
)
def test_values_must_fit_their_parts(platform: Platform, values: dict[str, Any], fits: bool) -> None:
    path, response = approved(platform)
    save_schema(platform, response, answerPartsSchema=SCHEMA, answerPartsValues={})
    answer = platform.call("PATCH", path, json={"answerPartsValues": values})
    assert answer.status_code == (200 if fits else 400)
    assert fits or all(key.startswith("body.answerPartsValues.") for key in answer.json["errors"])


def test_a_response_without_parts_cannot_be_edited(platform: Platform) -> None:
    path, response = approved(platform)
    del response["answerPartsSchema"]
    save_schema(platform, response)
    assert platform.call("PATCH", path, json={"answerPartsValues": {}}).status_code == 422


def test_infinity_is_not_json(platform: Platform) -> None:
    path, _ = approved(platform)
    body = '{"answerPartsValues": {"p1": 1e999}}'
    assert platform.call("PATCH", path, data=body, content_type="application/json").status_code == 400


def test_an_owner_is_set_and_cleared(platform: Platform) -> None:
    path, _ = approved(platform)
    user = platform.data("/users")[-1]
    owner = {"type": "User", "id": user["id"]}
    changed = platform.call("PATCH", f"{path}/owner", json={"ownerAssignment": owner})
    assert changed.json["ownerAssignment"] == owner | {"displayName": user["displayName"]}
    assert platform.call("PATCH", f"{path}/owner", json={"ownerAssignment": None}).json["ownerAssignment"] is None
    unknown = platform.call("PATCH", f"{path}/owner", json={"ownerAssignment": owner | {"id": "x"}})
    assert unknown.status_code == 422
    assert platform.call("PATCH", f"{path}/owner", json={}).status_code == 400


def test_a_response_belongs_to_its_questionnaire(platform: Platform) -> None:
    path, response = approved(platform)
    other = platform.data(QUESTIONNAIRES, statusMatchesAny="IN_REVIEW")[0]
    foreign = f"{QUESTIONNAIRES}/{other['id']}/responses/{response['id']}"
    assert platform.call("GET", foreign).status_code == 404
    assert platform.call("PATCH", foreign, json={"answerPartsValues": {}}).status_code == 404
    assert platform.get(path) == response
