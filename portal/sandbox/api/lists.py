"""Lists: pages, filters, and the handlers that every simple kind of object shares (platform-api 1.3)."""

import base64
import json
from collections.abc import Callable, Sequence

from werkzeug.datastructures import MultiDict

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.route import Call, Handler
from portal.sandbox.objects import Clause
from portal.sandbox.store import Json
from portal.sandbox.values import moment, read_moment

DEFAULT_SIZE, LARGEST_SIZE = 10, 100
CURSOR_PREFIX = "arrayconnection:"

type Query = MultiDict[str, str]
type Filter = Callable[[Query], Clause | None]


def listing(
    kind: str, *, filters: Sequence[Filter] = (), parent: str | None = None, oldest_first: bool = False,
    is_removed_shown: bool = False,
) -> Handler:  # fmt: skip
    """Make the handler of a paged list. Filters of different names are ANDed."""

    def handler(call: Call) -> Json:
        parent_id = call.ids[parent] if parent else None
        if parent_id is not None:
            call.sandbox.objects.get(call.tenant.id, "questionnaires", parent_id)
        include_removed = is_removed_shown and flag(call.query, "includeRemoved", default=True) is not False
        page = call.sandbox.objects.page(
            call.tenant.id,
            kind,
            after=cursor(call.query),
            size=page_size(call.query),
            parent_id=parent_id,
            where=clauses(filters, call.query),
            include_removed=include_removed,
            oldest_first=oldest_first,
        )
        info = {
            "startCursor": written(page.first),
            "endCursor": written(page.last),
            "hasNextPage": page.has_next,
            "hasPreviousPage": page.has_previous,
        }
        return {"results": {"data": page.bodies, "pageInfo": info}}

    return handler


def reading(kind: str, *, by: str) -> Handler:
    """Make the handler that answers one object, named by a placeholder of the path."""
    return lambda call: call.sandbox.objects.get(call.tenant.id, kind, call.ids[by])


def deleting(kind: str, *, by: str) -> Handler:
    """Make the handler that deletes one object, named by a placeholder of the path."""
    return lambda call: call.sandbox.objects.delete(call.tenant.id, kind, call.ids[by])


def page_size(query: Query) -> int:
    text = query.get("pageSize", str(DEFAULT_SIZE))
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= LARGEST_SIZE):
        raise Invalid.at("pageSize", f"must be a number from 1 to {LARGEST_SIZE}", value=text)
    return int(text)


def cursor(query: Query) -> int | None:
    """Read the position in the list. A cursor is opaque, and one that we did not write is refused."""
    text = query.get("pageCursor")
    if not text:
        return None
    try:
        prefix, _, position = base64.b64decode(text, validate=True).decode("ascii").partition(":")
        if f"{prefix}:" != CURSOR_PREFIX or not 0 <= int(position) < 2**63:
            raise ValueError
        return int(position)
    except ValueError:
        raise Invalid.at("pageCursor", "invalid cursor", value=text) from None


def written(position: int | None) -> str | None:
    return None if position is None else base64.b64encode(f"{CURSOR_PREFIX}{position}".encode()).decode()


def clauses(filters: Sequence[Filter], query: Query) -> list[Clause]:
    return [clause for read in filters if (clause := read(query)) is not None]


def values_of(query: Query, name: str) -> list[str]:
    """Read an array parameter: the key repeated, or one comma-joined value (platform-api 1.3)."""
    return [part for text in query.getlist(name) for part in text.split(",") if part]


def any_of(name: str, field: str, *, allowed: Sequence[str] | None = None) -> Filter:
    """Keep objects whose field has one of the values."""

    def read(query: Query) -> Clause | None:
        values = values_of(query, name)
        unknown = [value for value in values if allowed is not None and value not in allowed]
        if unknown:
            raise Invalid.at(name, f"must be one of {', '.join(allowed or ())}", value=unknown[0])
        marks = ", ".join("?" * len(values))
        return Clause(sql=f"json_extract(body, '$.{field}') IN ({marks})", values=tuple(values)) if values else None

    return read


def containing(name: str, *fields: str) -> Filter:
    """Keep objects with the text in one of the fields, upper or lower case."""

    def read(query: Query) -> Clause | None:
        text = query.get(name)
        if not text:
            return None
        parts = [f"instr(folded(json_extract(body, '$.{field}')), ?) > 0" for field in fields]
        return Clause(sql=" OR ".join(parts), values=(text.casefold(),) * len(fields))

    return read


def compared(name: str, field: str, comparison: str) -> Filter:
    """Keep objects whose moment compares so with the given one. Our moments sort as text."""

    def read(query: Query) -> Clause | None:
        text = query.get(name)
        if not text:
            return None
        try:
            at = moment(read_moment(text))
        except ValueError:
            raise Invalid.at(name, "must be an ISO 8601 moment", value=text) from None
        return Clause(sql=f"json_extract(body, '$.{field}') {comparison} ?", values=(at,))

    return read


def flagged(name: str, field: str) -> Filter:
    """Keep objects whose boolean field is the given one."""

    def read(query: Query) -> Clause | None:
        wanted = flag(query, name)
        sql = f"ifnull(json_extract(body, '$.{field}'), 0) = ?"
        return None if wanted is None else Clause(sql=sql, values=(int(wanted),))

    return read


def flag(query: Query, name: str, *, default: bool | None = None) -> bool | None:
    text = query.get(name)
    if not text:
        return default
    if text not in {"true", "false"}:
        raise Invalid.at(name, "must be true or false", value=text)
    return text == "true"


def labelled(name: str, field: str) -> Filter:
    """Keep objects that have all the given custom fields: JSON text of [{label, value}] (platform-api U18)."""

    def read(query: Query) -> Clause | None:
        text = query.get(name)
        if not text:
            return None
        try:
            pairs = [(str(pair["label"]), str(pair["value"])) for pair in json.loads(text)]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise Invalid.at(name, "must be a JSON array of {label, value}", value=text) from None
        fits = "json_extract(f.value, '$.label') = ? AND json_extract(f.value, '$.value') = ?"
        one = f"EXISTS (SELECT 1 FROM json_each(body, '$.{field}') f WHERE {fits})"  # noqa: S608
        sql = " AND ".join([one] * len(pairs))
        return Clause(sql=sql or "1", values=tuple(text for pair in pairs for text in pair))

    return read
