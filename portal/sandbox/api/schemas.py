"""The vocabulary of body schemas, and the check of a body against one (platform-api 1.4: objects are closed)."""

from collections.abc import Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

from portal.sandbox.api.errors import Invalid
from portal.sandbox.store import Json
from portal.sandbox.values import read_moment

FORMATS = FormatChecker(formats=())


@FORMATS.checks("date-time")
def is_moment(value: object) -> bool:
    if not isinstance(value, str):
        return True
    try:
        read_moment(value)
    except ValueError:
        return False
    return True


def closed(*, required: Sequence[str] = (), **properties: Json) -> Json:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }


def nullable(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


def array(items: Json, **limits: int) -> Json:
    return {"type": "array", "items": items, **limits}


def one_of(*values: str) -> Json:
    return {"type": "string", "enum": [*values]}


STRING: Json = {"type": "string"}
NAME: Json = {"type": "string", "minLength": 1}
BOOLEAN: Json = {"type": "boolean"}
MOMENT: Json = {"type": "string", "format": "date-time"}
IDS = array(STRING)
ASSIGNMENT = closed(required=("type", "id"), type=one_of("User", "Team"), id=NAME)
METADATA_TEXT: Json = {"type": "string", "pattern": r"^[A-Za-z0-9._-]+$"}
METADATA = array(closed(required=("key", "value"), key=METADATA_TEXT, value=METADATA_TEXT), maxItems=30)
TAGS = array(closed(required=("categoryId", "tagId"), categoryId=NAME, tagId=NAME))


def check(value: Any, schema: Json, *, at: str = "body") -> None:
    """Raise Invalid with every error found, at paths that start with the name of the argument."""
    validator = Draft202012Validator(schema, format_checker=FORMATS)
    errors: dict[str, Json] = {}
    for error in validator.iter_errors(value):
        for path, message, rejected in explained(error, at=at):
            errors[path] = {"message": message, "value": rejected}
    if errors:
        raise Invalid(errors)


def explained(error: ValidationError, *, at: str) -> list[tuple[str, str, Any]]:
    """Say an error as the platform says it: one line per unknown or missing property."""
    path = ".".join([at, *map(str, error.absolute_path)])
    instance: Any = error.instance
    if error.validator == "additionalProperties" and isinstance(error.schema, Mapping):
        unknown = [name for name in instance if name not in error.schema["properties"]]
        return [
            (f"{path}.{name}", f'"{name}" is an excess property and therefore is not allowed', instance[name])
            for name in unknown
        ]
    if error.validator == "required":
        # jsonschema reports each missing property by itself and names it only in its message.
        name = error.message.split("'")[1]
        return [(f"{path}.{name}", f"'{name}' is required", None)]
    return [(path, error.message if len(error.message) < 200 else "invalid value", instance)]
