"""Checks answers against the platform's part schemas with a JSON Schema library, and only for what is safe to run.

A schema comes from outside: `$ref` could make us fetch an address, `pattern` could keep a process busy for ever. Both are
left to the platform, which checks again when the answer is saved.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from jsonschema import Draft7Validator, SchemaError, ValidationError
from jsonschema.validators import extend

CHECKED: Final = frozenset(
    {
        *("type", "enum", "const", "minLength", "maxLength"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems"),
    }
)


def check_multiple(validator: Any, step: float, value: Any, schema: Any) -> Iterator[ValidationError]:
    """Check `multipleOf` with the numbers as they are written: as floating-point numbers 0.3 is no multiple of 0.1."""
    if validator.is_type(value, "number") and not is_multiple(value, step):
        yield ValidationError("not a multiple")


def is_multiple(value: float, step: float) -> bool:
    try:
        return Fraction(str(value)) % Fraction(str(step)) == 0
    except ValueError:  # infinite, or thousands of digits: left to the platform
        return True


EXACT: Final = extend(Draft7Validator, {"multipleOf": check_multiple})  # type: ignore[no-untyped-call]


def is_valid(schema: Mapping[str, Any]) -> bool:
    """Say whether the checked part of a schema is one at all."""
    try:
        Draft7Validator.check_schema(checkable(schema))
    except SchemaError:
        return False
    return True


def problems(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """Say in words what keeps a value from fitting its schema."""
    errors = EXACT(checkable(schema)).iter_errors(value)
    return [WORDS[error.validator](error.validator_value) if error.validator in WORDS else error.message for error in errors]


def checkable(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the keywords that are safe to check, of the items of a list as well."""
    kept = {name: value for name, value in schema.items() if name in CHECKED}
    if isinstance(items := schema.get("items"), dict):
        kept["items"] = {name: value for name, value in items.items() if name in CHECKED}
    return kept


WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    "minLength": lambda limit: f"Write at least {limit} characters.",
    "maxLength": lambda limit: f"Write at most {limit} characters.",
    "minimum": lambda limit: f"Enter {limit} or more.",
    "maximum": lambda limit: f"Enter {limit} or less.",
    "exclusiveMinimum": lambda limit: f"Enter more than {limit}.",
    "exclusiveMaximum": lambda limit: f"Enter less than {limit}.",
    "multipleOf": lambda step: f"Enter a multiple of {step}.",
    "minItems": lambda limit: f"Choose at least {limit}.",
    "maxItems": lambda limit: f"Choose at most {limit}.",
    "type": lambda name: "Enter a whole number." if name == "integer" else f"This has to be a {name}.",
}
