"""Platform-api 4.1.4: new questionnaires, and what the machine does with a file."""

import io
import json
from typing import Any

import pytest

from portal.sandbox.kinds.questionnaires import EVENT_STATUSES
from tests.sandbox.platform import Platform

PATH = "/customer-trust/questionnaires"


def create_file(platform: Platform, name: str = "review.xlsx", **parts: Any) -> Any:
    data = {"file": (io.BytesIO(b"PK"), name), "displayName": "A review", **parts}
    return platform.call("POST", f"{PATH}/file", data={key: value for key, value in data.items() if value is not None})


@pytest.mark.parametrize(
    ("name", "questionnaire_type", "status"),
    [
        ("a.xlsx", "SPREADSHEET", "QUEUED_FOR_COLUMN_DETECTION"),
        ("a.PDF", "DOCUMENT", "QUEUED_FOR_EXTRACTION"),
        ("a.docx", "DOCUMENT", "QUEUED_FOR_EXTRACTION"),
    ],
)
def test_a_file_makes_a_questionnaire_of_its_type(platform: Platform, name: str, questionnaire_type: str, status: str) -> None:
    owner = platform.data("/users")[-1]
    account = platform.data("/customer-trust/accounts")[0]
    answer = create_file(
        platform,
        name,
        ownerAssignment=json.dumps({"type": "User", "id": owner["id"]}),
        metadata='[{"key": "deal", "value": "D-1"}]',
        dueDate="2027-01-01",
        description="never shown",
        customerTrustAccountId=account["id"],
    )
    assert answer.status_code == 201, answer.text
    made = answer.json
    assert (made["type"], made["status"]) == (questionnaire_type, status)
    assert made["ownerAssignment"] == {"type": "User", "id": owner["id"], "displayName": owner["displayName"]}
    assert made["dueDate"] == "2027-01-01T00:00:00.000Z"
    assert made["metadata"] == [{"key": "deal", "value": "D-1"}]
    assert made["statusLog"][0]["status"] == status
    assert not {"description", "approverAssignment", "url", "completedDate"} & set(made)
    assert platform.data(PATH)[0]["id"] == made["id"]
    assert platform.messages() == [("v1.questionnaire.created", {"questionnaire": {"id": made["id"]}})]


@pytest.mark.parametrize(
    "parts",
    [
        {"displayName": None},
        {"file": None},
        {"file": (io.BytesIO(b"x"), "a.exe")},
        {"metadata": "["},
        {"metadata": '[{"key": "a b", "value": "c"}]'},
        {"metadata": json.dumps([{"key": "k", "value": "v"}] * 31)},
        {"ownerAssignment": '{"type": "USER", "id": "x"}'},
        {"dueDate": "tomorrow"},
        {"extra": "x"},
    ],
)
def test_a_wrong_file_form_is_400(platform: Platform, parts: dict[str, Any]) -> None:
    answer = create_file(platform, **parts)
    assert answer.status_code == 400
    assert answer.json["errors"]
    assert platform.messages() == []


@pytest.mark.parametrize("parts", [{"ownerAssignment": '{"type": "User", "id": "x"}'}, {"customerTrustAccountId": "x"}])
def test_a_reference_to_nothing_is_422(platform: Platform, parts: dict[str, str]) -> None:
    answer = create_file(platform, **parts)
    assert (answer.status_code, answer.json) == (422, {"message": "Resource not found"})


def test_a_website_makes_a_questionnaire_in_progress(platform: Platform) -> None:
    body = {"displayName": "Portal", "url": "https://vendors.example/1", "includeUntaggedEntitiesForCategoryIds": ["c"]}
    made = platform.call("POST", f"{PATH}/website", json=body)
    assert made.status_code == 201
    assert made.json["status"] == "IN_PROGRESS"
    assert made.json["url"] == body["url"]
    assert "includeUntaggedEntitiesForCategoryIds" not in made.json
    missing = platform.call("POST", f"{PATH}/website", json={"displayName": "Portal"})
    assert missing.json["errors"] == {"body.url": {"message": "'url' is required", "value": None}}


def test_a_file_walks_through_the_machine_to_in_progress_with_answers(platform: Platform) -> None:
    made = create_file(platform).json
    for _ in range(10):
        platform.sandbox.clock.advance(11)
        platform.sandbox.deliver_due()
    done = platform.get(f"{PATH}/{made['id']}")
    assert done["status"] == "IN_PROGRESS"
    log = [entry["status"] for entry in done["statusLog"]]
    assert log[0] == "IN_PROGRESS"
    assert log[-1] == "QUEUED_FOR_COLUMN_DETECTION"
    responses = platform.data(f"{PATH}/{made['id']}/responses")
    assert len(responses) == 24
    assert all(response["originType"] == "AI" and not response["isPendingAnswerGeneration"] for response in responses)
    told = [body["questionnaire"]["status"] for kind, body in platform.messages() if kind.endswith("status-changed")]
    assert told == [status for status in reversed(log[:-1]) if status in EVENT_STATUSES]
