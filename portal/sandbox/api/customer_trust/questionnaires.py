"""Questionnaires (platform-api 4.1.1-4.1.4)."""

from portal.sandbox.api.assignments import assigned
from portal.sandbox.api.errors import Refusal, unprocessable
from portal.sandbox.api.filters import any_of, between, containing
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.changes import questionnaires as changes
from portal.sandbox.changes import transitions
from portal.sandbox.changes.answers import keep_approved
from portal.sandbox.changes.questionnaires import PEOPLE_STATUSES
from portal.sandbox.kinds.questionnaires import DOCUMENT, QUESTIONNAIRE, SPREADSHEET, STATUSES, WEBSITE
from portal.sandbox.schemas import (
    ANY_METADATA,
    ASSIGNMENT,
    BOOLEAN,
    IDS,
    METADATA,
    MOMENT,
    NAME,
    STRING,
    TAGS,
    closed,
    nullable,
    one_of,
    reference,
)
from portal.sandbox.store import Json
from portal.sandbox.switches import ADVANCED_QUESTIONNAIRES, STRICT_TRANSITIONS
from portal.sandbox.values import normalised

PATH = "/customer-trust/questionnaires"
LATER_STATUSES = ("QUEUED_FOR_SECTION_EXTRACTION", "QUEUED_FOR_ANSWERING")
"""Known to the newest public description only (platform-api 5.1): nothing has them here, but a filter may name them."""
TYPE_OF_SUFFIX = {"xlsx": SPREADSHEET, "docx": DOCUMENT, "pdf": DOCUMENT}
NEVER_RETURNED = ("description", "companyUrl", "includeUntaggedEntitiesForCategoryIds")
CREATE_FIELDS: Json = {
    "displayName": NAME,
    "ownerAssignment": ASSIGNMENT,
    "approverAssignment": ASSIGNMENT,
    "description": STRING,
    "companyUrl": STRING,
    "dueDate": MOMENT,
    "customerTrustAccountId": reference("accounts"),
    "metadata": METADATA,
    "tagAndCategoryIds": TAGS,
}
FILE_FORM = Form(
    schema=closed(required=["displayName"], **CREATE_FIELDS, includeUntaggedEntitiesForCategoryIds=STRING),
    extensions=tuple(f".{suffix}" for suffix in TYPE_OF_SUFFIX),
    json_parts=("ownerAssignment", "approverAssignment", "metadata", "tagAndCategoryIds"),
)
WEBSITE_BODY = closed(required=["displayName", "url"], **CREATE_FIELDS, url=NAME, includeUntaggedEntitiesForCategoryIds=IDS)
PATCH_BODY = closed(
    displayName=NAME,
    dueDate=nullable(MOMENT),
    status=one_of(*PEOPLE_STATUSES),
    ownerAssignment=nullable(ASSIGNMENT),
    approverAssignment=nullable(ASSIGNMENT),
    metadata=ANY_METADATA,
    tagAndCategoryIds=TAGS,
)
APPROVE = closed(statusChangeMessage=STRING)
COMPLETE = closed(shouldSyncApprovedToAnswerLibrary=BOOLEAN)


def create_from_file(call: Call) -> Json:
    assert call.file is not None  # noqa: S101 - the form requires it
    suffix = (call.file.filename or "").rsplit(".", 1)[-1].lower()
    return create(call, questionnaire_type=TYPE_OF_SUFFIX[suffix])


def create_from_website(call: Call) -> Json:
    return create(call, questionnaire_type=WEBSITE)


def create(call: Call, *, questionnaire_type: str) -> Json:
    given = {name: value for name, value in call.body.items() if name not in NEVER_RETURNED}
    fields = stored(call, given)
    return changes.create(call.sandbox, call.tenant.id, questionnaire_type=questionnaire_type, actor=call.actor, fields=fields)


def update(call: Call) -> Json:
    if "approverAssignment" in call.body and not call.sandbox.switches[ADVANCED_QUESTIONNAIRES]:
        raise Refusal(403, "This feature is not enabled")
    fields = stored(call, call.body)
    status = fields.pop("status", None)
    questionnaire_id = call.object["id"]
    questionnaire = changes.update(call.sandbox, call.tenant.id, questionnaire_id, changes=fields)
    return questionnaire if status is None else move(call, status)


def stored(call: Call, given: Json) -> Json:
    """Turn what was sent into what is kept: moments in our form, people with their names."""
    fields = dict(given)
    if "dueDate" in fields:
        fields["dueDate"] = normalised(fields["dueDate"])
    for name in ("ownerAssignment", "approverAssignment"):
        if fields.get(name) is not None:
            fields[name] = assigned(call, fields[name])
    return fields


def approve(call: Call) -> Json:
    return move(call, "APPROVED", message=call.body.get("statusChangeMessage"))


def complete(call: Call) -> Json:
    questionnaire = move(call, "COMPLETE")
    if call.body.get("shouldSyncApprovedToAnswerLibrary", True):
        keep_approved(call.sandbox, call.tenant.id, questionnaire["id"])
    return questionnaire


def move(call: Call, status: str, *, message: str | None = None) -> Json:
    """Change the status. Raises a 422 where transitions are strict and this one is not in their table."""
    questionnaire_id = call.object["id"]
    words = transitions.refusal(call.object["status"], status)
    if words and call.sandbox.switches[STRICT_TRANSITIONS]:
        raise unprocessable(words)
    return changes.change_status(
        call.sandbox, call.tenant.id, questionnaire_id, status=status, actor=call.actor, message=message
    )


def delete(call: Call) -> None:
    changes.delete(call.sandbox, call.tenant.id, call.object["id"])


ONE = f"{PATH}/<questionnaire_id>"
LIST = listing(
    "questionnaires",
    filters=(
        containing("q", "displayName"),
        any_of("statusMatchesAny", "status", allowed=(*STATUSES, *LATER_STATUSES)),
        any_of("typeMatchesAny", "type", allowed=(SPREADSHEET, DOCUMENT, WEBSITE)),
        *between("createdAfter", "createdBefore", "createdDate"),
        any_of("ownerIdMatchesAny", "ownerAssignment.id"),
        any_of("approverIdMatchesAny", "approverAssignment.id"),
    ),
)
ROUTES = (
    Route("GET", PATH, LIST),
    Route("POST", f"{PATH}/file", create_from_file, form=FILE_FORM, status=201, answer=QUESTIONNAIRE),
    Route("POST", f"{PATH}/website", create_from_website, body=WEBSITE_BODY, status=201, answer=QUESTIONNAIRE),
    Route("GET", ONE, reading("questionnaires")),
    Route("PATCH", ONE, update, body=PATCH_BODY, answer=QUESTIONNAIRE, refusals=(422,)),
    Route("DELETE", ONE, delete, status=204),
    Route("POST", f"{ONE}/approve", approve, body=APPROVE, answer=QUESTIONNAIRE, refusals=(422,)),
    Route("POST", f"{ONE}/complete", complete, body=COMPLETE, answer=QUESTIONNAIRE, refusals=(422,)),
)
