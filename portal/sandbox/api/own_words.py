"""Answers and questions with the platform's own name in them, where a client knows no other word."""

from collections.abc import Sequence
from typing import Any

from portal.sandbox.api.route import Parameter, Query
from portal.sandbox.own_name import ANONYMOUS, OwnName
from portal.sandbox.store import Json


def spoken(value: Any, schema: Json, name: OwnName) -> Any:
    """Say an answer with the name: words of closed lists that have it, and what says where something comes from."""
    for option in schema.get("anyOf", ()):
        value = spoken(value, option, name)
    if isinstance(value, str):
        return name.spoken(value) if has_name(schema) else value
    if isinstance(value, list):
        return [spoken(each, schema.get("items", {}), name) for each in value]
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        return {key: spoken(each, properties.get(key, {}), name) for key, each in value.items()}
    return value


def heard(query: Query, parameters: Sequence[Parameter], name: OwnName) -> Query:
    """Turn words of a query that have the name into ours."""
    asked = query.copy()
    for parameter in parameters:
        if parameter.name in asked and has_name(parameter.schema.get("items", parameter.schema)):
            asked.setlist(parameter.name, [name.heard(text) for text in asked.getlist(parameter.name)])
    return asked


def has_name(schema: Json) -> bool:
    return "x-own-name" in schema or any(ANONYMOUS.upper() in word.upper() for word in schema.get("enum", ()))
