"""Questionnaires, their responses and exports, and the users who work on them (platform-api 4.1.1-4.1.6, 4.6)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    ASSIGNED,
    BOOLEAN,
    MAYBE_STRING,
    MOMENT,
    OBJECT,
    PERSON,
    STRING,
    array,
    nullable,
    one_of,
    record,
)

SPREADSHEET, DOCUMENT, WEBSITE = "SPREADSHEET", "DOCUMENT", "WEBSITE"
EVENT_STATUSES = (
    *("APPROVED", "COMPLETE", "DETECTING_COLUMNS", "ERROR", "EXTRACTING_QUESTIONS", "IN_PROGRESS", "IN_REVIEW"),
    *("NO_LONGER_NEEDED", "ON_HOLD", "PROCESSING", "QUEUED_FOR_COLUMN_DETECTION", "QUEUED_FOR_EXTRACTION"),
    *("QUEUED_FOR_PROCESSING", "READY_FOR_REVIEW", "WAITING_ON_ANSWERS", "WAITING_ON_COLUMN_APPROVAL"),
    "WAITING_ON_COLUMN_SELECTION",
)
"""The status-changed event has these values only (specification 3.1)."""
STATUSES = (*EVENT_STATUSES, "EXTRACTING_SECTIONS", "MAPPING_SECTIONS", "GENERATING_ANSWERS")
ORIGINAL, CSV = "original", "csv"
ORIGINS = ("AI", "ANSWER_LIBRARY", "MANUAL", "ORIGINAL_QUESTIONNAIRE", "RESOURCE")

LOG_ENTRY = record(
    updatedBy=record(id=STRING, displayName=MAYBE_STRING, email=MAYBE_STRING),
    updatedAt=MOMENT,
    status=one_of(*STATUSES),
    message=MAYBE_STRING,
)
QUESTIONNAIRE = record(
    id=STRING,
    displayName=STRING,
    type=one_of(SPREADSHEET, DOCUMENT, WEBSITE),
    status=one_of(*STATUSES),
    statusLog=array(LOG_ENTRY),
    tagAndCategoryIds=array(record(categoryId=STRING, tagId=STRING)),
    createdDate=MOMENT,
    updatedDate=MOMENT,
    optional={
        "url": STRING,
        "ownerAssignment": ASSIGNED,
        "approverAssignment": ASSIGNED,
        "customerTrustAccountId": STRING,
        "dueDate": MOMENT,
        "metadata": array(record(key=STRING, value=STRING)),
        "completedDate": MOMENT,
    },
)
EVIDENCE = record(uploadedDocument=record(id=STRING, slugId=STRING, filename=STRING))
RESPONSE = record(
    id=STRING,
    question=STRING,
    isPendingAnswerGeneration=BOOLEAN,
    ownerAssignment=nullable(ASSIGNED),
    optional={
        "sectionId": MAYBE_STRING,
        "sequenceLabel": STRING,
        "answerPartsSchema": OBJECT,
        "answerPartsValues": OBJECT,
        "answer": OBJECT,
        "answerSchema": STRING,
        "originType": one_of(*ORIGINS),
        "editedBy": nullable(PERSON),
        "approvedBy": nullable(PERSON),
        "attachedEvidence": array(EVIDENCE),
        "generatedAnswerLogId": STRING,
    },
)
EXPORT = record(
    id=STRING,
    status=one_of("pending", "completed", "failed"),
    format=one_of(ORIGINAL, CSV),
    requestedAt=MOMENT,
    optional={
        "completedAt": MOMENT,
        "downloadUrl": STRING,
        "expiresAt": MOMENT,
        "failedAt": MOMENT,
        "errorMessage": STRING,
    },
)
USER = record(id=STRING, email=STRING, displayName=STRING, isActive=BOOLEAN)
KINDS = (
    Kind(name="questionnaires", title="Questionnaire", shape=QUESTIONNAIRE, by="questionnaire_id"),
    Kind(name="responses", title="Response", shape=RESPONSE, by="response_id", parent="questionnaire_id"),
    Kind(name="exports", title="Export", shape=EXPORT, by="export_id", parent="questionnaire_id"),
    Kind(name="users", title="User", shape=USER, by="user_id"),
)
