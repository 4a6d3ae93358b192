"""Made-up questionnaires: every status with the history and the answers that belong to it."""

import pytest
from jsonschema import Draft7Validator

from portal.sandbox.seed import World
from portal.sandbox.seed.question_bank import question_bank
from tests.sandbox_seed.shapes import STATUSES
from tests.sandbox_seed.worlds import NOW, objects, parse, world


@pytest.mark.parametrize("count", [40, 60])
def test_every_status_of_the_specification_occurs(count: int) -> None:
    assert {questionnaire["status"] for questionnaire in world(questionnaires=count).questionnaires} == set(STATUSES)


def test_the_history_ends_in_the_status_and_never_lies_ahead(made: World) -> None:
    for questionnaire in made.questionnaires:
        log = questionnaire["statusLog"]
        moments = [parse(entry["updatedAt"]) for entry in log]
        assert log[0]["status"] == questionnaire["status"]
        assert moments == sorted(moments, reverse=True)
        assert parse(questionnaire["createdDate"]) <= moments[-1] and moments[0] <= NOW
        assert ("completedDate" in questionnaire) == (questionnaire["status"] == "COMPLETE")
        assert ("url" in questionnaire) == (questionnaire["type"] == "WEBSITE")


def test_open_work_is_late_due_today_and_due_later(made: World) -> None:
    open_statuses = {"IN_PROGRESS", "WAITING_ON_ANSWERS", "READY_FOR_REVIEW", "IN_REVIEW", "ON_HOLD"}
    days = [
        (parse(questionnaire["dueDate"]).date() - NOW.date()).days
        for questionnaire in made.questionnaires
        if questionnaire["status"] in open_statuses and "dueDate" in questionnaire
    ]
    assert min(days) < 0 and days.count(0) >= 2 and max(days) > 7
    for questionnaire in made.questionnaires:
        if "dueDate" in questionnaire:
            assert parse(questionnaire["createdDate"]) < parse(questionnaire["dueDate"])


def test_the_status_decides_what_is_answered(made: World) -> None:
    for questionnaire in made.questionnaires:
        responses = made.responses[questionnaire["id"]]
        approved = [response for response in responses if response["approvedBy"]]
        match questionnaire["status"]:
            case "COMPLETE" | "APPROVED":
                assert len(approved) == len(responses) >= 30
            case "IN_PROGRESS":
                assert 0 < len(approved) < len(responses)
            case "PROCESSING":
                assert all(response["isPendingAnswerGeneration"] for response in responses)
            case "QUEUED_FOR_EXTRACTION" | "DETECTING_COLUMNS" | "ERROR":
                assert not responses


def test_answers_fit_the_schema_they_come_with(made: World) -> None:
    kinds = set()
    for kind, response in objects(made):
        if kind != "responses":
            continue
        schema, values = response["answerPartsSchema"], response["answerPartsValues"]
        assert schema["properties"].keys() == values.keys()
        if "originType" in response:
            Draft7Validator(schema).validate(values)
        else:
            assert set(values.values()) == {None} and not response["approvedBy"]
        first = schema["properties"]["p1"]
        kinds.add((first["type"], "enum" in first))
    assert kinds == {("string", True), ("string", False), ("array", False), ("boolean", False), ("number", False)}


def test_realistic_questionnaires_have_thirty_to_three_hundred_questions(made: World) -> None:
    whole = ("IN_PROGRESS", "IN_REVIEW", "COMPLETE", "APPROVED", "READY_FOR_REVIEW")
    sizes = [len(made.responses[q["id"]]) for q in made.questionnaires if q["status"] in whole]
    assert min(sizes) >= 30 and max(sizes) <= 300 and max(sizes) - min(sizes) > 100


def test_the_bank_is_large_and_without_repetition() -> None:
    bank = question_bank()
    assert len({question.text for question in bank}) == len(bank) >= 350
    assert len({question.domain for question in bank}) >= 22
    assert all(len(question.text) > 20 and question.text.endswith((".", "?")) for question in bank)
