"""Questions and answers of a questionnaire (platform-api 4.1.6)."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, InvalidOperation, localcontext

from jsonschema import Draft7Validator, ValidationError
from jsonschema.validators import extend

from portal.sandbox.api.assignments import assigned
from portal.sandbox.api.errors import Invalid, Refusal
from portal.sandbox.api.filters import containing
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Answer, Call, Operation, Route
from portal.sandbox.changes import responses as changes
from portal.sandbox.kinds.questionnaires import RESPONSE
from portal.sandbox.schemas import ASSIGNMENT, closed, nullable
from portal.sandbox.store import Json
from portal.sandbox.switches import LEGACY_ANSWERS

LEGACY_CHOICES = {"Yes": "YES", "No": "NO", "N/A": "NOT_APPLICABLE", "Not applicable": "NOT_APPLICABLE"}
PART_VALUE: Json = {
    "type": ["string", "number", "boolean", "null", "array"],
    "items": {"type": "string"},
}
ANSWER = closed(required=["answerPartsValues"], answerPartsValues={"type": "object", "additionalProperties": PART_VALUE})
OWNER = closed(required=["ownerAssignment"], ownerAssignment=nullable(ASSIGNMENT))


def multiple_of(_validator: object, step: float, value: object, _schema: object) -> Iterator[ValidationError]:
    """Check a step as decimals: 0.3 is three times 0.1."""
    if isinstance(value, int | float) and not isinstance(value, bool) and not is_multiple(value, step):
        yield ValidationError(f"{value} is not a multiple of {step}")


def is_multiple(value: float, step: float) -> bool:
    with localcontext(prec=700):  # the longest quotient of two floating-point numbers has 616 digits
        try:
            return Decimal(str(value)) % Decimal(str(step)) == 0
        except InvalidOperation:
            return False


Exact = extend(Draft7Validator, {"multipleOf": multiple_of})  # type: ignore[no-untyped-call]


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
        elif value is not None and not Exact(schemas[part_id]).is_valid(value):
            errors[path] = {"message": "the value does not fit this part", "value": value}
    if errors:
        raise Invalid(errors)


def set_owner(call: Call) -> Json:
    response, owner = call.object, call.body["ownerAssignment"]
    named = None if owner is None else assigned(call, owner)
    return changes.set_owner(call.sandbox, call.tenant.id, response["id"], owner=named)


def with_legacy(operation: Operation) -> Operation:
    """Add the deprecated field `answer` where the sandbox is switched to it (specification 9, platform-api 7.8)."""

    def run(call: Call) -> Answer:
        answer = operation(call)
        if isinstance(answer, dict) and call.sandbox.switches[LEGACY_ANSWERS]:
            for response in answer["results"]["data"] if "results" in answer else [answer]:
                response["answer"] = legacy_answer(response)
        return answer

    return replace(operation, run=run)


def legacy_answer(response: Json) -> Json:
    """Say an answer the old way: one text, and one of three choices."""
    values = [value for value in response.get("answerPartsValues", {}).values() if value is not None]
    choices = [LEGACY_CHOICES[value] for value in values if isinstance(value, str) and value in LEGACY_CHOICES]
    texts = [str(value) for value in values if not isinstance(value, list) and value not in LEGACY_CHOICES]
    return {"explanation": " ".join(texts) or None, "multipleChoice": choices[0] if choices else None}


PATH = "/customer-trust/questionnaires/<questionnaire_id>/responses"
ONE = f"{PATH}/<response_id>"
LIST = listing("responses", filters=[containing("q", "question")], oldest_first=True)
ROUTES = (
    Route("GET", PATH, with_legacy(LIST)),
    Route("GET", ONE, with_legacy(reading("responses"))),
    Route("PATCH", ONE, write_answer, body=ANSWER, answer=RESPONSE, refusals=(422,)),
    Route("PATCH", f"{ONE}/owner", set_owner, body=OWNER, answer=RESPONSE, refusals=(422,)),
)
