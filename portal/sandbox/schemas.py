"""The vocabulary of JSON schemas: what a body may hold, and what an answer looks like."""

from collections.abc import Mapping, Sequence
from typing import Any

from portal.sandbox.store import Json


def closed(*, required: Sequence[str] = (), **properties: Json) -> Json:
    """A body: an object with these properties and no others."""
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


def record(*, optional: Mapping[str, Json] | None = None, **properties: Json) -> Json:
    """An object of an answer: always with these properties, and sometimes with the optional ones."""
    return {
        "type": "object",
        "properties": properties | dict(optional or {}),
        "required": [*properties],
        "additionalProperties": False,
    }


def extended(schema: Json, *, optional: Mapping[str, Json] | None = None, **properties: Json) -> Json:
    """The same object with more properties, or with others of the same name, for the answer that shows one in detail."""
    return schema | {
        "properties": schema["properties"] | properties | dict(optional or {}),
        "required": [*dict.fromkeys((*schema["required"], *properties))],
    }


def without(schema: Json, *names: str) -> Json:
    """The same object with fewer properties, for an answer that leaves some out."""
    return schema | {
        "properties": {name: value for name, value in schema["properties"].items() if name not in names},
        "required": [name for name in schema["required"] if name not in names],
    }


def nullable(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


def array(items: Json, **limits: int) -> Json:
    return {"type": "array", "items": items, **limits}


def one_of(*values: str) -> Json:
    return {"type": "string", "enum": [*values]}


def text(**limits: Any) -> Json:
    return {"type": "string", **limits}


def reference(kind: str) -> Json:
    """The id of an object of the tenant. One that does not exist is refused with 422 (platform-api 1.4)."""
    return {"type": "string", "minLength": 1, "x-kind": kind}


def unpaged(schema: Json) -> Json:
    """The envelope of a list without pages (platform-api 1.3)."""
    return record(results=array(schema))


def paged(schema: Json) -> Json:
    """The envelope of a list in pages (platform-api 1.3)."""
    return record(results=record(data=array(schema), pageInfo=PAGE_INFO))


STRING: Json = {"type": "string"}
NAME: Json = {"type": "string", "minLength": 1}
ORIGIN: Json = {"type": "string", "x-own-name": True}
"""Where something comes from: a key, or the platform's own name (portal.sandbox.own_name)."""
BOOLEAN: Json = {"type": "boolean"}
INTEGER: Json = {"type": "integer"}
NUMBER: Json = {"type": "number"}
OBJECT: Json = {"type": "object"}
MOMENT: Json = {"type": "string", "format": "date-time"}
IDS = array(STRING)
FORM_BOOLEAN = one_of("true", "false")
"""Booleans of a multipart body are texts (platform-api 1.2)."""
MEDIA: Json = {"type": "string", "format": "binary"}
"""The answer of an endpoint that gives a file."""

MAYBE_STRING = nullable(STRING)
MAYBE_MOMENT = nullable(MOMENT)
MAYBE_BOOLEAN = nullable(BOOLEAN)

PAGE_INFO = record(startCursor=MAYBE_STRING, endCursor=MAYBE_STRING, hasNextPage=BOOLEAN, hasPreviousPage=BOOLEAN)
SUCCESS = record(isSuccessful=BOOLEAN)
ASSIGNMENT = closed(required=("type", "id"), type=one_of("User", "Team"), id=NAME)
ASSIGNED = record(type=one_of("User", "Team"), id=STRING, displayName=MAYBE_STRING)
METADATA_TEXT: Json = {"type": "string", "pattern": r"^[A-Za-z0-9._-]+$"}
METADATA = array(closed(required=("key", "value"), key=METADATA_TEXT, value=METADATA_TEXT), maxItems=30)
ANY_METADATA = array(closed(required=("key", "value"), key=STRING, value=STRING))
"""Of a change: limits are named for creation only."""
TAGS = array(closed(required=("categoryId", "tagId"), categoryId=NAME, tagId=NAME))
TAGS_BY_CATEGORY = array(closed(required=["categoryId", "tagIds"], categoryId=NAME, tagIds=IDS))
CUSTOM_FIELDS = array(closed(required=["label", "value"], label=NAME, value={"anyOf": [STRING, IDS]}))
PERSON = record(
    id=STRING, organizationId=STRING, email=STRING, givenName=MAYBE_STRING, familyName=MAYBE_STRING
)  # fmt: skip
"""A user as the one who edited, approved or added something."""
