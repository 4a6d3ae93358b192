"""The words in which the platform refuses what does not fit (platform-api 1.4); none of them is of our own language."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jsonschema.exceptions import ValidationError

NO_MOMENT = "invalid ISO 8601 datetime format, i.e. YYYY-MM-DDTHH:mm:ss"
NO_BOOLEAN = "invalid boolean value"
NO_INTEGER = "invalid integer number"
NO_MEMBER = "Could not match the union against any of the items"
TYPES = {
    "string": "invalid string value",
    "boolean": NO_BOOLEAN,
    "integer": NO_INTEGER,
    "number": "invalid float number",
    "array": "invalid array",
    "object": "invalid object",
    "null": "should be one of the following; [null]",
}
FORMATS = {"date-time": NO_MOMENT, "uri": "invalid URI"}
LIMITS = {
    "minimum": "min",
    "maximum": "max",
    "minLength": "minLength",
    "maxLength": "maxLength",
    "minItems": "minItems",
    "maxItems": "maxItems",
}
MAX_ISSUES = 1000
"""Letters of the issues of a union: a value may be as long as a body."""

type Problem = tuple[str, str, Any]
"""The path of something that does not fit, why, and the rejected value."""


def required(name: str) -> str:
    return f"'{name}' is required"


def excess(name: str) -> str:
    return f'"{name}" is an excess property and therefore is not allowed'


def none_of(allowed: Iterable[str]) -> str:
    return f"should be one of the following; [{','.join(f"'{value}'" for value in allowed)}]"


def explained(error: ValidationError, *, at: str) -> list[Problem]:
    """Say an error of a schema as the platform says it: one line per unknown or missing property."""
    path = spelled([at, *error.absolute_path])
    instance: Any = error.instance
    if error.validator == "additionalProperties" and isinstance(error.schema, Mapping):
        unknown = [name for name in instance if name not in error.schema["properties"]]
        return [(f"{path}.{name}", excess(name), instance[name]) for name in unknown]
    if error.validator == "required":
        # jsonschema reports each missing property by itself and names it only in its message.
        name = error.message.split("'")[1]
        return [(f"{path}.{name}", required(name), None)]
    return [(path, reason(error, at=at), instance)]


def spelled(parts: Sequence[object]) -> str:
    """Spell a path with dots; the places of a list carry a dollar sign."""
    return ".".join(f"${part}" if isinstance(part, int) else str(part) for part in parts)


def reason(error: ValidationError, *, at: str) -> str:
    bound: Any = error.validator_value
    match error.validator:
        case "type":
            return TYPES[bound] if isinstance(bound, str) else NO_MEMBER
        case "format":
            return FORMATS[bound]
        case "enum":
            return none_of(bound)
        case "pattern":
            return f"Not match in '{bound}'"
        case "anyOf":
            return f"{NO_MEMBER}. Issues: {issues(error, at=at)}"
        case limit:
            return f"{LIMITS[str(limit)]} {bound}"


def issues(error: ValidationError, *, at: str) -> str:
    """List what keeps a value from being any of those that it might be."""
    found = [
        {path: {"message": message, "value": rejected}}
        for each in error.context or ()
        for path, message, rejected in explained(each, at=at)
    ]
    return json.dumps(found, ensure_ascii=False, default=str)[:MAX_ISSUES]
