"""Lists in pages, and how one is cut (platform-api 1.3)."""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.filters import check_allowed, flag, flag_parameter
from portal.sandbox.api.route import Answer, Call, Operation, Parameter, Query
from portal.sandbox.api.wordings import NO_INTEGER
from portal.sandbox.kinds import KINDS
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import one_of, paged, unpaged
from portal.sandbox.store import Json

DEFAULT_SIZE, MAX_PAGE_SIZE = 10, 100
CURSOR_PREFIX = "arrayconnection:"


@dataclass(frozen=True, kw_only=True)
class Order:
    """A list that can be sorted: the values of `orderBy` and the fields they stand for; the first one is the default."""

    fields: Mapping[str, str]
    is_descending: bool = False

    def sort(self, bodies: list[Json], query: Query) -> list[Json]:
        """Sort by the asked field; objects that have nothing there come last."""
        field = self.fields[choice(query, "orderBy", [*self.fields])]
        down = choice(query, "orderDirection", ["desc", "asc"] if self.is_descending else ["asc", "desc"]) == "desc"
        values = {body["id"]: value_at(body, field) for body in bodies}
        having = sorted((body for body in bodies if values[body["id"]]), key=lambda body: values[body["id"]], reverse=down)
        return [*having, *(body for body in bodies if not values[body["id"]])]

    @property
    def parameters(self) -> list[Parameter]:
        return [
            Parameter(name="orderBy", schema=one_of(*self.fields)),
            Parameter(name="orderDirection", schema=one_of("asc", "desc")),
        ]


def value_at(body: Json, path: str) -> Any:
    """Follow a dotted path; None where it ends early."""
    value: Any = body
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def listing(
    kind: str, *, filters: Sequence[Parameter] = (), oldest_first: bool = False, is_removed_shown: bool = False,
    order: Order | None = None, most: int = MAX_PAGE_SIZE, shape: Json | None = None, only: Clause | None = None,
) -> Operation:  # fmt: skip
    """Make the operation of a paged list: all objects of a kind, or those of the object that the path names.

    Filters of different names are ANDed. `shape` is what the list shows of an object, where it shows less than all;
    `only` is what the list leaves out whatever is asked.
    """
    parent, shown = KINDS[kind].parent, shape or KINDS[kind].shape

    def run(call: Call) -> Json:
        include_removed = is_removed_shown and flag(call.query, "includeRemoved", default=True) is not False
        parent_id = call.found[parent]["id"] if parent in call.found else None
        where = [*clauses(filters, call.query), *([only] if only else [])]
        if order is not None:
            bodies = call.sandbox.objects.all(call.tenant.id, kind, parent_id=parent_id, where=where)
            return cut([brief(body, shape) for body in order.sort(bodies, call.query)], call.query, most=most)
        page = call.sandbox.objects.page(
            call.tenant.id,
            kind,
            after=cursor(call.query),
            size=page_size(call.query, most=most),
            parent_id=parent_id,
            where=where,
            include_removed=include_removed,
            oldest_first=oldest_first,
        )
        bodies = [brief(body, shape) for body in page.bodies]
        return envelope(bodies, page.first, page.last, has_next=page.has_next, has_previous=page.has_previous)

    parameters = [*page_parameters(most), *filters, *(order.parameters if order else [])]
    removed = [flag_parameter("includeRemoved")] if is_removed_shown else []
    return Operation(run=run, answer=paged(shown), parameters=[*parameters, *removed])


def brief(body: Json, shape: Json | None) -> Json:
    """Leave out what a list does not show of an object. One that shows all hides nothing, or nobody would see what is wrong."""
    return body if shape is None else {name: value for name, value in body.items() if name in shape["properties"]}


def showing(operation: Operation, show: Callable[[Call, Json], Json], *, shape: Json | None = None) -> Operation:
    """Let an operation answer its objects as `show` makes them, in another shape where one is given."""

    def run(call: Call) -> Answer:
        answer = operation(call)
        if not isinstance(answer, dict):
            return answer
        results = answer.get("results")
        if results is None:
            return show(call, answer)
        if isinstance(results, list):
            return {"results": [show(call, body) for body in results]}
        return {"results": results | {"data": [show(call, body) for body in results["data"]]}}

    return replace(operation, run=run, answer=shape or operation.answer)


def latest_first(bodies: list[Json], field: str) -> list[Json]:
    return sorted(bodies, key=lambda body: str(body[field]), reverse=True)


def chosen(find: Callable[[Call], list[Json]], *, shape: Json, filters: Sequence[Parameter] = ()) -> Operation:
    """Make the operation of a paged list whose objects a function finds."""
    return Operation(
        run=lambda call: cut([brief(body, shape) for body in find(call)], call.query),
        answer=paged(shape),
        parameters=[*page_parameters(MAX_PAGE_SIZE), *filters],
    )


def everything(kind: str, *, filters: Sequence[Parameter] = (), oldest_first: bool = False) -> Operation:
    """Make the operation of a list without pages."""
    parent = KINDS[kind].parent

    def run(call: Call) -> Json:
        parent_id = call.found[parent]["id"] if parent in call.found else None
        where = clauses(filters, call.query)
        found = call.sandbox.objects.all(call.tenant.id, kind, parent_id=parent_id, where=where, oldest_first=oldest_first)
        return {"results": found}

    return Operation(run=run, answer=unpaged(KINDS[kind].shape), parameters=filters)


def cut(bodies: Sequence[Json], query: Query, *, most: int = MAX_PAGE_SIZE) -> Json:
    """Cut the asked page out of a list that is already there."""
    start, size = (cursor(query) or 0), page_size(query, most=most)
    shown = bodies[start : start + size]
    end = start + len(shown)
    first, last = (start + 1, end) if shown else (None, None)
    return envelope(shown, first, last, has_next=end < len(bodies), has_previous=start > 0)


def envelope(
    bodies: Sequence[Json], first: int | None, last: int | None, *, has_next: bool, has_previous: bool
) -> Json:  # fmt: skip
    info = {
        "startCursor": written(first),
        "endCursor": written(last),
        "hasNextPage": has_next,
        "hasPreviousPage": has_previous,
    }
    return {"results": {"data": [*bodies], "pageInfo": info}}


def page_parameters(most: int) -> list[Parameter]:
    return [
        Parameter(name="pageSize", schema={"type": "integer", "minimum": 1, "maximum": most, "default": DEFAULT_SIZE}),
        Parameter(name="pageCursor", schema={"type": "string"}),
    ]


def page_size(query: Query, *, most: int = MAX_PAGE_SIZE) -> int:
    text = query.get("pageSize", str(DEFAULT_SIZE))
    if not (text.isascii() and text.removeprefix("-").isdigit()):
        raise Invalid.at("pageSize", NO_INTEGER, value=text)
    size = int(text[:9])
    if not 1 <= size <= most:
        raise Invalid.at("pageSize", f"max {most}" if size > most else "min 1", value=text)
    return size


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


def clauses(filters: Sequence[Parameter], query: Query) -> list[Clause]:
    return [clause for parameter in filters if (clause := parameter.read(query)) is not None]


def choice(query: Query, name: str, allowed: Sequence[str]) -> str:
    """Read a parameter that has a few values; the first one is the default."""
    text = query.get(name, allowed[0])
    check_allowed(name, [text], allowed)
    return text
