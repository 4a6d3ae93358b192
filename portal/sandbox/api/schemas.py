"""The check of a body against its schema, and of what it refers to (platform-api 1.4)."""

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.wordings import explained
from portal.sandbox.store import Json
from portal.sandbox.values import moment, read_moment

FORMATS = FormatChecker(formats=())


@FORMATS.checks("date-time")
def is_moment(value: object) -> bool:
    if not isinstance(value, str):
        return True
    try:
        moment(read_moment(value))
    except (ValueError, OverflowError):
        return False
    return True


@FORMATS.checks("uri")
def is_uri(value: object) -> bool:
    if not isinstance(value, str):
        return True
    scheme, separator, rest = value.partition("://")
    return bool(separator) and scheme.lower() in {"http", "https"} and bool(rest) and " " not in value


def check(value: Any, schema: Json, *, at: str = "body") -> None:
    """Raise Invalid with every error found, at paths that start with the name of the argument."""
    validator = Draft202012Validator(schema, format_checker=FORMATS)
    errors: dict[str, Json] = {}
    for error in validator.iter_errors(value):
        for path, message, rejected in explained(error, at=at):
            errors[path] = {"message": message, "value": rejected}
    if errors:
        raise Invalid(errors)


def references(value: Any, schema: Json) -> Iterator[tuple[str, str]]:
    """Walk a valid body; give every (kind, id) that it refers to."""
    if isinstance(value, str) and "x-kind" in schema:
        yield schema["x-kind"], value
    for option in schema.get("anyOf", ()):
        yield from references(value, option)
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from references(inner, schema.get("properties", {}).get(name, {}))
    if isinstance(value, list):
        for inner in value:
            yield from references(inner, schema.get("items", {}))
