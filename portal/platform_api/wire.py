"""How values are spelled on the wire, and how a body is read."""

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn

from pydantic.alias_generators import to_camel


def decode(content: bytes) -> Any:
    """Decode a JSON body. Raises ValueError for everything that is none, numbers that JSON cannot say included.

    1e999 would become an infinity, which no database takes as JSON.
    """
    try:
        return json.loads(content.decode("utf-8-sig"), parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def spell_time(value: datetime) -> str:
    """Spell a time as the platform does: UTC with milliseconds and Z."""
    if value.tzinfo is None:
        raise ValueError("a time without a zone would be read in the zone of this machine")
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def spell_body(values: Mapping[str, Any]) -> dict[str, Any]:
    """Make a JSON body of keyword arguments: camelCase names, spelled times. None says "clear it" (platform-api 1.2)."""
    return {to_camel(name): spell_time(value) if isinstance(value, datetime) else value for name, value in values.items()}


def spell_query(values: Mapping[str, Any]) -> dict[str, Any]:
    """Make a query: None is left out, a list repeats its key (platform-api 7.11), booleans are `true` and `false`."""
    return {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in spell_body(values).items()
        if value is not None
    }


def spell_form(values: Mapping[str, Any]) -> dict[str, str]:
    """Make the text parts of a multipart body. None is left out.

    Structured values are JSON texts (platform-api 1.2); a list of ids is separated by commas (platform-api 4.1.4).
    """
    return {name: spell_part(value) for name, value in spell_body(values).items() if value is not None}


def spell_part(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and value and all(isinstance(item, str) for item in value):
        return ",".join(value)
    return json.dumps(value)
