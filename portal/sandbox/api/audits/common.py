"""What the endpoints of audits have in common: whom they are for, their limits, their filters, their comments."""

from collections.abc import Callable
from typing import Any

from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.filters import moment_of
from portal.sandbox.api.handlers import check_alive
from portal.sandbox.api.route import Call, Handler, Parameter, Query, Route
from portal.sandbox.changes import audit_comments
from portal.sandbox.changes.audit_comments import Family
from portal.sandbox.changes.audits import Impossible
from portal.sandbox.limits import AUDITOR, AUDITOR_WRITES
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import MOMENT, NAME, closed
from portal.sandbox.store import Json
from portal.sandbox.values import normalised

COMMENT = closed(required=["text", "email", "creationDate"], text=NAME, email=NAME, creationDate=MOMENT)
NEW_TEXT = closed(required=["text", "email"], text=NAME, email=NAME)


def route(method: str, path: str, handler: Handler, **facts: Any) -> Route:
    """Declare an endpoint for auditors. Reads and writes are counted apart unless it has a bucket of its own."""
    facts = {"bucket": AUDITOR if method == "GET" else AUDITOR_WRITES} | facts
    return Route(method, path, handler, is_for_auditors=True, **facts)


def changed_since(*fields: str) -> Parameter:
    """Keep objects of which one of these moments is not earlier."""
    name = "changedSinceDate"

    def read(query: Query) -> Clause | None:
        at = moment_of(query, name)
        sql = " OR ".join(f"json_extract(body, '$.{field}') >= ?" for field in fields)
        return Clause(sql=sql, values=(at,) * len(fields)) if at else None

    return Parameter(name=name, schema=MOMENT, read=read)


SINCE_CHANGE = changed_since("creationDate", "modificationDate", "deletionDate")


def commenting(family: Family) -> Callable[[Call], Json]:
    """Make the handler that comments on the object that the path names."""

    def run(call: Call) -> Json:
        sent = call.body
        return audit_comments.add(
            call.sandbox,
            call.tenant.id,
            family,
            call.object["id"],
            text=sent["text"],
            email=sent["email"],
            at=normalised(sent["creationDate"]),
        )

    return run


def recommenting(family: Family) -> Callable[[Call], Json]:
    """Make the handler that writes a comment anew; a deleted one is gone."""

    def run(call: Call) -> Json:
        check_alive(call, family.kind)
        return audit_comments.change(call.sandbox, call.tenant.id, family, call.object, text=call.body["text"])

    return run


def uncommenting(family: Family) -> Callable[[Call], None]:
    """Make the handler that deletes a comment, once."""

    def run(call: Call) -> None:
        check_alive(call, family.kind)
        audit_comments.delete(call.sandbox, call.tenant.id, family, call.object)

    return run


def possible(change: Callable[[], Json]) -> Json:
    """Do something that the status may not allow: then it is refused."""
    try:
        return change()
    except Impossible as impossible:
        raise unprocessable(str(impossible)) from None
