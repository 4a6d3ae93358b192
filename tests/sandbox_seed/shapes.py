"""The shapes of the API's objects, written down from the reference to hold the made-up world against them."""

from typing import Any

STATUSES = (
    "APPROVED", "COMPLETE", "ERROR", "IN_PROGRESS", "IN_REVIEW", "EXTRACTING_QUESTIONS", "QUEUED_FOR_EXTRACTION",
    "PROCESSING", "QUEUED_FOR_PROCESSING", "READY_FOR_REVIEW", "WAITING_ON_ANSWERS", "WAITING_ON_COLUMN_SELECTION",
    "WAITING_ON_COLUMN_APPROVAL", "QUEUED_FOR_COLUMN_DETECTION", "DETECTING_COLUMNS", "ON_HOLD", "NO_LONGER_NEEDED",
    "EXTRACTING_SECTIONS", "MAPPING_SECTIONS", "GENERATING_ANSWERS",
)  # fmt: skip
"""The twenty of the specification's section 3.1."""

type Schema = dict[str, Any]

ID: Schema = {"type": "string", "pattern": "^[0-9a-f]{24}$"}
TEXT: Schema = {"type": "string", "minLength": 1}
FLAG: Schema = {"type": "boolean"}
MOMENT: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"}
MAIL: Schema = {"type": "string", "pattern": r"^[a-z0-9.-]+@[a-z0-9.-]+$"}
LEVEL: Schema = {"enum": ["FULL_ACCESS", "PARTIAL_ACCESS"]}


def nullable(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def shape(required: Schema, optional: Schema | None = None) -> Schema:
    properties = required | (optional or {})
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


ASSIGNMENT = shape({"type": {"enum": ["User", "Team"]}, "id": ID, "displayName": nullable(TEXT)})
PERSON = shape({"id": ID, "organizationId": ID, "email": MAIL, "givenName": nullable(TEXT), "familyName": nullable(TEXT)})
STATUS = {"enum": list(STATUSES)}
LOG_ENTRY = shape(
    {
        "updatedBy": shape({"id": ID, "displayName": nullable(TEXT), "email": nullable(MAIL)}),
        "updatedAt": MOMENT,
        "status": STATUS,
        "message": nullable(TEXT),
    }
)
METADATA_WORD: Schema = {"type": "string", "pattern": r"^[A-Za-z0-9._-]+$"}
QUESTIONNAIRE = shape(
    {
        "id": ID,
        "displayName": TEXT,
        "type": {"enum": ["SPREADSHEET", "WEBSITE", "DOCUMENT"]},
        "status": STATUS,
        "statusLog": many(LOG_ENTRY),
        "tagAndCategoryIds": many(shape({"categoryId": ID, "tagId": ID})),
        "createdDate": MOMENT,
        "updatedDate": MOMENT,
    },
    {
        "url": TEXT,
        "ownerAssignment": ASSIGNMENT,
        "approverAssignment": ASSIGNMENT,
        "customerTrustAccountId": ID,
        "dueDate": MOMENT,
        "metadata": many(shape({"key": METADATA_WORD, "value": METADATA_WORD})),
        "completedDate": MOMENT,
    },
)
RESPONSE = shape(
    {"id": ID, "question": TEXT, "isPendingAnswerGeneration": FLAG, "ownerAssignment": nullable(ASSIGNMENT)},
    {
        "sectionId": ID,
        "sequenceLabel": TEXT,
        "answerPartsSchema": {
            "type": "object",
            "properties": {"type": {"const": "object"}},
            "required": ["type", "properties"],
        },
        "answerPartsValues": {"type": "object"},
        "originType": {"enum": ["AI", "ANSWER_LIBRARY", "MANUAL", "ORIGINAL_QUESTIONNAIRE", "RESOURCE"]},
        "editedBy": nullable(PERSON),
        "approvedBy": nullable(PERSON),
        "attachedEvidence": many(shape({"uploadedDocument": shape({"id": ID, "slugId": TEXT, "filename": TEXT})})),
        "generatedAnswerLogId": ID,
    },
)
GRANT_OPTION: Schema = {"enum": ["INCLUDE_EVERYTHING_REQUESTED", "INCLUDE_ONLY_CONFIGURED", None]}
ACCOUNT = shape(
    {
        "id": ID,
        "name": TEXT,
        "emailDomain": TEXT,
        "createdDate": MOMENT,
        "updatedDate": MOMENT,
        "ndaDetails": shape(
            {"ndaStatus": {"enum": ["SIGNED", "NOT_REQUIRED", "INCOMPLETE"]}, "ndaSatisfiedDate": nullable(MOMENT)}
        ),
        "accessConfig": nullable(shape({"autoApprovalEnabled": FLAG, "grantAccessOption": GRANT_OPTION})),
        "customFields": many(shape({"label": TEXT, "value": {"anyOf": [TEXT, many(TEXT)]}})),
        "tagsByCategory": many(shape({"categoryId": ID, "tagIds": many(ID)})),
    }
)
REQUEST_FIELDS: Schema = {
    "id": ID, "email": MAIL, "name": TEXT, "companyName": TEXT, "reason": TEXT,
    "requestedResources": nullable(many(ID)), "accessLevel": LEVEL, "creationDate": MOMENT, "updatedDate": MOMENT,
}  # fmt: skip
DECISION_FIELDS: Schema = {"outcome": {"enum": ["APPROVED", "DENIED"]}, "manualDenialReason": nullable(TEXT)}
PROVIDERS: Schema = {"enum": ["DOCUSIGN", "ONE_CLICK", "SFDC_BYPASS", "HUBSPOT_BYPASS", "IRONCLAD_BYPASS"]}
NDA = shape(
    {
        "provider": PROVIDERS,
        "satisfiedDate": nullable(MOMENT),
        "docuSign": nullable(shape({"envelopeId": TEXT, "accountId": TEXT, "accountBaseUrl": TEXT})),
        "oneClick": nullable(shape({"ndaUploadedDocumentId": nullable(ID), "name": TEXT, "date": MOMENT})),
    }
)
ASSOCIATION = shape({"service": {"enum": ["SALESFORCE", "HUBSPOT", "IRONCLAD"]}, "id": TEXT, "objectType": TEXT})
VIEWER = shape(
    {
        "id": ID,
        "email": MAIL,
        "name": nullable(TEXT),
        "companyName": nullable(TEXT),
        "resourceIds": nullable(many(ID)),
        "accessLevel": LEVEL,
        "ndaInfo": nullable(NDA),
        "externalServiceAssociations": nullable(many(ASSOCIATION)),
        "creationDate": MOMENT,
        "updatedDate": MOMENT,
        "expirationDate": nullable(MOMENT),
        "addedByUser": nullable(PERSON),
        "customerTrustAccountId": nullable(ID),
    }
)
DETAILS: Schema = {
    "oneOf": [
        shape(
            {
                "page": {
                    "enum": [
                        "COMPLIANCE",
                        "CONTROLS",
                        "FAQ",
                        "MEDIA",
                        "OVERVIEW",
                        "RESOURCES",
                        "SUBPROCESSORS",
                        "UPDATES",
                    ]
                }
            }
        ),
        shape({"resourceId": ID, "resourceName": TEXT}),
        shape({"videoTitle": TEXT}),
    ]
}
ACTIVITY = shape(
    {
        "id": ID,
        "date": MOMENT,
        "eventType": {"enum": ["PAGE_VIEW", "RESOURCE_DOWNLOAD", "RESOURCE_VIEW", "VIDEO_PLAY"]},
        "details": nullable(DETAILS),
        "viewerId": nullable(ID),
        "viewerEmail": nullable(MAIL),
        "city": nullable(TEXT),
        "countryCode": nullable(TEXT),
    }
)
RESOURCE = shape(
    {
        "id": ID,
        "fileName": nullable(TEXT),
        "title": TEXT,
        "description": nullable(TEXT),
        "mimeType": TEXT,
        "creationDate": MOMENT,
        "updatedDate": MOMENT,
        "isPublic": FLAG,
    }
)
CONTRACT_LINKS: Schema = {"externalId": nullable(TEXT), "customerTrustAccountId": nullable(ID)}
CONTRACT = shape({"id": ID, "name": TEXT, "executedDate": nullable(MOMENT), "creationDate": MOMENT} | CONTRACT_LINKS)
SHAPES = {
    "users": shape({"id": ID, "email": MAIL, "displayName": TEXT, "isActive": FLAG}),
    "accounts": ACCOUNT,
    "questionnaires": QUESTIONNAIRE,
    "responses": RESPONSE,
    "resources": RESOURCE,
    "access_requests": shape(REQUEST_FIELDS),
    "historical_access_requests": shape(REQUEST_FIELDS | DECISION_FIELDS),
    "viewers": VIEWER,
    "contracts": CONTRACT,
    "activity": ACTIVITY,
    "deletion_requests": shape({"id": ID, "email": MAIL, "creationDate": MOMENT}),
}
