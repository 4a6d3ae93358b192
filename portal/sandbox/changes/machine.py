"""What the platform's machine does with a questionnaire: reads it, then drafts answers (platform-api 4.1.4, 5.1)."""

import random

from portal.sandbox.changes import questionnaires
from portal.sandbox.changes.questionnaires import MACHINE, STEP, STEP_SECONDS
from portal.sandbox.kinds.questionnaires import DOCUMENT, SPREADSHEET
from portal.sandbox.objects import Clause
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.seed.question_bank import Question, question_bank
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

WALKS = {
    SPREADSHEET: (
        *("QUEUED_FOR_COLUMN_DETECTION", "DETECTING_COLUMNS", "QUEUED_FOR_EXTRACTION", "EXTRACTING_QUESTIONS"),
        *("QUEUED_FOR_PROCESSING", "PROCESSING", "GENERATING_ANSWERS", "IN_PROGRESS"),
    ),
    DOCUMENT: (
        *("QUEUED_FOR_EXTRACTION", "EXTRACTING_SECTIONS", "MAPPING_SECTIONS", "EXTRACTING_QUESTIONS"),
        *("QUEUED_FOR_PROCESSING", "PROCESSING", "GENERATING_ANSWERS", "IN_PROGRESS"),
    ),
}
AFTER_PEOPLE = {"WAITING_ON_COLUMN_SELECTION": "QUEUED_FOR_EXTRACTION", "WAITING_ON_COLUMN_APPROVAL": "QUEUED_FOR_EXTRACTION"}
AFTER_WORK = {
    "IN_PROGRESS": "WAITING_ON_ANSWERS",
    "WAITING_ON_ANSWERS": "READY_FOR_REVIEW",
    "READY_FOR_REVIEW": "IN_REVIEW",
    "IN_REVIEW": "APPROVED",
    "APPROVED": "COMPLETE",
}
QUESTIONS = 24
"""How many questions the machine finds in a file."""


def next_status(questionnaire: Json) -> str | None:
    """Return the machine's next status; None when it has nothing (more) to do."""
    status = questionnaire["status"]
    walk = WALKS.get(questionnaire["type"], ())
    if status in AFTER_PEOPLE:
        return AFTER_PEOPLE[status]
    if status not in walk[:-1]:
        return None
    return walk[walk.index(status) + 1]


def next_people_status(status: str) -> str:
    """Return what people usually do after a status."""
    return AFTER_WORK.get(status, "IN_PROGRESS")


def step(sandbox: Sandbox, tenant_id: str, questionnaire_id: str) -> None:
    """Do the machine's next step and plan the one after it."""
    questionnaire = sandbox.objects.get(tenant_id, questionnaires.KIND, questionnaire_id)
    status = next_status(questionnaire)
    if status is None:
        return
    if status == "QUEUED_FOR_PROCESSING":
        extract(sandbox, tenant_id, questionnaire_id)
    if status == "IN_PROGRESS":
        draft_all(sandbox, tenant_id, questionnaire_id)
    moved = questionnaires.change_status(sandbox, tenant_id, questionnaire_id, status=status, actor=MACHINE)
    if next_status(moved):
        sandbox.schedule(tenant_id, STEP, questionnaire_id, seconds=STEP_SECONDS)


def extract(sandbox: Sandbox, tenant_id: str, questionnaire_id: str) -> None:
    """Find the questions, unless they are there already."""
    if sandbox.objects.all(tenant_id, "responses", parent_id=questionnaire_id, limit=1):
        return
    chosen = sorted(random.Random(questionnaire_id).sample(range(len(question_bank())), k=QUESTIONS))  # noqa: S311
    responses = [unanswered(question_bank()[position], label=f"1.{number}") for number, position in enumerate(chosen, start=1)]
    sandbox.objects.add_many(tenant_id, "responses", responses, parent_id=questionnaire_id)


def unanswered(question: Question, *, label: str) -> Json:
    """Make a response that waits for its answer."""
    return {
        "id": new_id(),
        "question": question.text,
        "isPendingAnswerGeneration": True,
        "ownerAssignment": None,
        "sequenceLabel": label,
        "answerPartsSchema": question.schema,
        "answerPartsValues": dict.fromkeys(question.values),
        "editedBy": None,
        "approvedBy": None,
    }


def draft_all(sandbox: Sandbox, tenant_id: str, questionnaire_id: str) -> None:
    for response in pending_responses(sandbox, tenant_id, questionnaire_id):
        draft(sandbox, tenant_id, response)


def pending_responses(sandbox: Sandbox, tenant_id: str, questionnaire_id: str) -> list[Json]:
    pending = Clause(sql="json_extract(body, '$.isPendingAnswerGeneration')")
    return sandbox.objects.all(tenant_id, "responses", parent_id=questionnaire_id, where=[pending], oldest_first=True)


def draft(sandbox: Sandbox, tenant_id: str, response: Json) -> None:
    """Let the machine answer one question. No event tells of it (platform-api 3.2)."""
    answer = next((question.values for question in question_bank() if question.text == response["question"]), None)
    if answer is not None:
        response |= {"answerPartsValues": dict(answer), "originType": "AI", "generatedAnswerLogId": new_id()}
    response["isPendingAnswerGeneration"] = False
    sandbox.objects.save(tenant_id, "responses", response)
