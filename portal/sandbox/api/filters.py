"""Parameters that choose objects of a list (platform-api 1.3). Of a moment, a boolean or an enum nothing is no value."""

import json
from collections.abc import Sequence

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.route import Parameter, Query
from portal.sandbox.api.wordings import NO_BOOLEAN, NO_MOMENT, none_of
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import BOOLEAN, MOMENT, STRING, array, one_of
from portal.sandbox.values import moment, read_moment


def values_of(query: Query, name: str, allowed: Sequence[str] | None = None) -> list[str]:
    """Read an array parameter: the key repeated, or one comma-joined value (platform-api 1.3).

    Where a few values are allowed, nothing is none of them. Raises Invalid.
    """
    values = [part for text in query.getlist(name) for part in text.split(",") if part]
    check_allowed(name, values if values or name not in query else [""], allowed)
    return values


def any_of(name: str, field: str, *, allowed: Sequence[str] | None = None) -> Parameter:
    """Keep objects whose field has one of the values; of a field with a list, one in common."""

    def read(query: Query) -> Clause | None:
        values = values_of(query, name, allowed)
        marks = ", ".join("?" * len(values))
        # json_each gives the elements of a list, and anything else as it is.
        sql = f"EXISTS (SELECT 1 FROM json_each(body, '$.{field}') e WHERE e.value IN ({marks}))"  # noqa: S608
        return Clause(sql=sql, values=tuple(values)) if values else None

    return Parameter(name=name, schema=array(one_of(*allowed) if allowed else STRING), read=read)


def having(name: str, field: str) -> Parameter:
    """Keep objects that have the one value in a field with a list."""

    def read(query: Query) -> Clause | None:
        value = query.get(name)
        sql = f"EXISTS (SELECT 1 FROM json_each(body, '$.{field}') e WHERE e.value = ?)"  # noqa: S608
        return Clause(sql=sql, values=(value,)) if value else None

    return Parameter(name=name, schema=STRING, read=read)


def having_within(name: str, field: str, inner: str) -> Parameter:
    """Keep objects that have, in a list of objects, one whose inner field has the one value."""

    def read(query: Query) -> Clause | None:
        value = query.get(name)
        fits = f"json_extract(e.value, '$.{inner}') = ?"
        sql = f"EXISTS (SELECT 1 FROM json_each(body, '$.{field}') e WHERE {fits})"  # noqa: S608
        return Clause(sql=sql, values=(value,)) if value else None

    return Parameter(name=name, schema=STRING, read=read)


def any_within(name: str, field: str, inner: str) -> Parameter:
    """Keep objects that have, in a list of objects, one whose inner field has one of the values."""

    def read(query: Query) -> Clause | None:
        values = values_of(query, name)
        marks = ", ".join("?" * len(values))
        inside = f"json_extract(e.value, '$.{inner}') IN ({marks})"
        sql = f"EXISTS (SELECT 1 FROM json_each(body, '$.{field}') e WHERE {inside})"  # noqa: S608
        return Clause(sql=sql, values=tuple(values)) if values else None

    return Parameter(name=name, schema=array(STRING), read=read)


def check_allowed(name: str, values: Sequence[str], allowed: Sequence[str] | None) -> None:
    unknown = [value for value in values if allowed is not None and value not in allowed]
    if unknown:
        raise Invalid.at(name, none_of(allowed or ()), value=unknown[0])


def equal_to(name: str, field: str, *, allowed: Sequence[str] | None = None) -> Parameter:
    """Keep objects whose field has the one value."""

    def read(query: Query) -> Clause | None:
        value = query.get(name)
        if value is None or not (value or allowed):
            return None
        check_allowed(name, [value], allowed)
        return Clause(sql=f"json_extract(body, '$.{field}') = ?", values=(value,))

    return Parameter(name=name, schema=one_of(*allowed) if allowed else STRING, read=read)


def containing(name: str, *fields: str) -> Parameter:
    """Keep objects with the text in one of the fields, upper or lower case."""

    def read(query: Query) -> Clause | None:
        text = query.get(name)
        if not text:
            return None
        parts = [f"instr(folded(json_extract(body, '$.{field}')), ?) > 0" for field in fields]
        return Clause(sql=" OR ".join(parts), values=(text.casefold(),) * len(fields))

    return Parameter(name=name, schema=STRING, read=read)


def compared(name: str, field: str, comparison: str) -> Parameter:
    """Keep objects whose moment compares so with the given one. Our moments sort as text."""

    def read(query: Query) -> Clause | None:
        at = moment_of(query, name)
        return Clause(sql=f"json_extract(body, '$.{field}') {comparison} ?", values=(at,)) if at else None

    return Parameter(name=name, schema=MOMENT, read=read)


def or_without(due: Parameter, wish: str, field: str) -> Parameter:
    """Let objects that have no such moment pass a filter of moments where the query wishes that."""

    def read(query: Query) -> Clause | None:
        clause = due.read(query)
        if clause is None or not flag(query, wish):
            return clause
        return Clause(sql=f"({clause.sql}) OR json_extract(body, '$.{field}') IS NULL", values=clause.values)

    return Parameter(name=due.name, schema=due.schema, read=read)


def moment_of(query: Query, name: str) -> str:
    """Read a parameter that is a moment, as ours are written; empty when it was not given. Raises Invalid."""
    text = query.get(name)
    if text is None:
        return ""
    try:
        return moment(read_moment(text))
    except (ValueError, OverflowError):
        raise Invalid.at(name, NO_MOMENT, value=text) from None


def between(after: str, before: str, field: str) -> list[Parameter]:
    """Keep objects whose moment is not earlier than one and not later than the other."""
    return [compared(after, field, ">="), compared(before, field, "<=")]


def flagged(name: str, field: str) -> Parameter:
    """Keep objects whose boolean field is the given one."""

    def read(query: Query) -> Clause | None:
        wanted = flag(query, name)
        sql = f"ifnull(json_extract(body, '$.{field}'), 0) = ?"
        return None if wanted is None else Clause(sql=sql, values=(int(wanted),))

    return Parameter(name=name, schema=BOOLEAN, read=read)


def flag_parameter(name: str) -> Parameter:
    """Name a boolean parameter that its handler reads itself."""
    return Parameter(name=name, schema=BOOLEAN)


def flag(query: Query, name: str, *, default: bool | None = None) -> bool | None:
    text = query.get(name)
    if text is None:
        return default
    if text not in {"true", "false"}:
        raise Invalid.at(name, NO_BOOLEAN, value=text)
    return text == "true"


def labelled(name: str, field: str) -> Parameter:
    """Keep objects that have all the given custom fields: JSON text of [{label, value}] (platform-api U18)."""

    def read(query: Query) -> Clause | None:
        pairs = pairs_of(query, name, "label", "value")
        fits = "json_extract(f.value, '$.label') = ? AND json_extract(f.value, '$.value') = ?"
        one = f"EXISTS (SELECT 1 FROM json_each(body, '$.{field}') f WHERE {fits})"  # noqa: S608
        sql = " AND ".join([one] * len(pairs))
        return Clause(sql=sql, values=tuple(text for pair in pairs for text in pair)) if pairs else None

    return Parameter(name=name, schema=STRING, read=read)


def pairs_of(query: Query, name: str, *keys: str) -> list[tuple[str, ...]]:
    """Read a parameter that is the JSON text of a list of objects with these keys. Raises Invalid."""
    text = query.get(name)
    if not text:
        return []
    try:
        return [tuple(str(pair[key]) for key in keys) for pair in json.loads(text)]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Invalid.at(name, f"must be a JSON array of {{{', '.join(keys)}}}", value=text) from None


def tagged(name: str, *, is_grouped: bool) -> Parameter:
    """Keep objects with a tag: JSON text of [{categoryId, tagId}]. Grouped: one of every category that is named."""

    def read(query: Query) -> Clause | None:
        pairs = pairs_of(query, name, "categoryId", "tagId")
        if not pairs:
            return None
        groups: dict[str, list[tuple[str, ...]]] = {}
        for pair in pairs:
            groups.setdefault(pair[0] if is_grouped else "", []).append(pair)
        parts = [f"EXISTS (SELECT 1 FROM json_each(body, '$.tags') t WHERE {fits_one(group)})" for group in groups.values()]  # noqa: S608
        values = tuple(text for group in groups.values() for pair in group for text in pair)
        return Clause(sql=" AND ".join(parts), values=values)

    return Parameter(name=name, schema=STRING, read=read)


def fits_one(group: Sequence[tuple[str, ...]]) -> str:
    one = "json_extract(t.value, '$.categoryId') = ? AND json_extract(t.value, '$.tagId') = ?"
    return " OR ".join([f"({one})"] * len(group))
