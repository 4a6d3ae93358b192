"""Questions and answers of a questionnaire (platform-api 4.1.6)."""

from jsonschema import Draft7Validator

from portal.sandbox.api.errors import Invalid, Refusal
from portal.sandbox.api.lists import containing, listing
from portal.sandbox.api.people import assigned
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.schemas import ASSIGNMENT, closed, nullable
from portal.sandbox.changes import responses as changes
from portal.sandbox.objects import Missing
from portal.sandbox.store import Json

PART_VALUE: Json = {
    "type": ["string", "number", "boolean", "null", "array"],
    "items": {"type": "string"},
}
ANSWER = closed(required=["answerPartsValues"], answerPartsValues={"type": "object", "additionalProperties": PART_VALUE})
OWNER = closed(required=["ownerAssignment"], ownerAssignment=nullable(ASSIGNMENT))


def read(call: Call) -> Json:
    """Return one response of exactly this questionnaire. Raises Missing."""
    questionnaire_id, response_id = call.ids["questionnaire_id"], call.ids["response_id"]
    call.sandbox.objects.get(call.tenant.id, "questionnaires", questionnaire_id)
    if call.sandbox.objects.parent_of(call.tenant.id, "responses", response_id) != questionnaire_id:
        raise Missing("responses", response_id)
    return call.sandbox.objects.get(call.tenant.id, "responses", response_id)


def write_answer(call: Call) -> Json:
    response = read(call)
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
    response, owner = read(call), call.body["ownerAssignment"]
    named = None if owner is None else assigned(call, owner)
    return changes.set_owner(call.sandbox, call.tenant.id, response["id"], owner=named)


PATH = "/customer-trust/questionnaires/<questionnaire_id>/responses"
LIST = listing("responses", parent="questionnaire_id", filters=[containing("q", "question")], oldest_first=True)
ROUTES = (
    Route(method="GET", path=PATH, handler=LIST),
    Route(method="GET", path=f"{PATH}/<response_id>", handler=read),
    Route(method="PATCH", path=f"{PATH}/<response_id>", handler=write_answer, body=ANSWER),
    Route(method="PATCH", path=f"{PATH}/<response_id>/owner", handler=set_owner, body=OWNER),
)
