"""Questions and answers of a questionnaire (platform-api 4.1.6)."""

from jsonschema import Draft7Validator

from portal.sandbox.api.assignments import assigned
from portal.sandbox.api.errors import Invalid, Refusal
from portal.sandbox.api.filters import containing
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.changes import responses as changes
from portal.sandbox.kinds.questionnaires import RESPONSE
from portal.sandbox.schemas import ASSIGNMENT, closed, nullable
from portal.sandbox.store import Json

PART_VALUE: Json = {
    "type": ["string", "number", "boolean", "null", "array"],
    "items": {"type": "string"},
}
ANSWER = closed(required=["answerPartsValues"], answerPartsValues={"type": "object", "additionalProperties": PART_VALUE})
OWNER = closed(required=["ownerAssignment"], ownerAssignment=nullable(ASSIGNMENT))


def write_answer(call: Call) -> Json:
    response = call.object
    values = call.body["answerPartsValues"]
    if "answerPartsSchema" not in response:
        raise Refusal(422, "This response has no answer parts")
    check_parts(values, response["answerPartsSchema"]["properties"])
    return changes.write_answer(call.sandbox, call.tenant.id, response["id"], values=values)


def check_parts(values: Json, schemas: Json) -> None:
    """Refuse unknown parts and values that a part does not allow; null clears any part."""
    errors: dict[str, Json] = {}
    for part_id, value in values.items():
        path = f"body.answerPartsValues.{part_id}"
        if part_id not in schemas:
            message = f'"{part_id}" is an excess property and therefore is not allowed'
            errors[path] = {"message": message, "value": value}
        elif value is not None and not Draft7Validator(schemas[part_id]).is_valid(value):
            errors[path] = {"message": "the value does not fit this part", "value": value}
    if errors:
        raise Invalid(errors)


def set_owner(call: Call) -> Json:
    response, owner = call.object, call.body["ownerAssignment"]
    named = None if owner is None else assigned(call, owner)
    return changes.set_owner(call.sandbox, call.tenant.id, response["id"], owner=named)


PATH = "/customer-trust/questionnaires/<questionnaire_id>/responses"
ONE = f"{PATH}/<response_id>"
LIST = listing("responses", filters=[containing("q", "question")], oldest_first=True)
ROUTES = (
    Route("GET", PATH, LIST),
    Route("GET", ONE, reading("responses")),
    Route("PATCH", ONE, write_answer, body=ANSWER, answer=RESPONSE, refusals=(422,)),
    Route("PATCH", f"{ONE}/owner", set_owner, body=OWNER, answer=RESPONSE, refusals=(422,)),
)
