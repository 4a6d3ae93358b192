"""Changes of many objects in one request: 200 even when every line failed (platform-api 4.6)."""

from collections.abc import Callable, Mapping

from portal.sandbox.api.errors import Refusal
from portal.sandbox.api.route import Call, Operation
from portal.sandbox.objects import Missing
from portal.sandbox.schemas import NAME, STRING, array, closed, one_of, record, unpaged
from portal.sandbox.store import Json

SUCCESS, ERROR = "SUCCESS", "ERROR"
DONE, FAILED = record(id=STRING, status=one_of(SUCCESS)), record(id=STRING, status=one_of(ERROR), message=STRING)
ANSWER = unpaged({"anyOf": [DONE, FAILED]})


def updates(most: int, *, optional: Mapping[str, Json] | None = None, **required: Json) -> Json:
    """Make the schema of a body with a line per object: its id, what else every line has to say, and what it may."""
    line = closed(required=["id", *required], id=NAME, **required, **(optional or {}))
    return closed(required=["updates"], updates=array(line, minItems=1, maxItems=most))


def line_by_line(change: Callable[[Call, Json], object]) -> Operation:
    """Make the operation that does every line; one that names nothing, or cannot be done, fails alone."""

    def result(call: Call, line: Json) -> Json:
        try:
            with call.sandbox.store.transaction():
                change(call, line)
        except (Missing, Refusal) as reason:
            return {"id": line["id"], "status": ERROR, "message": str(reason)}
        return {"id": line["id"], "status": SUCCESS}

    return Operation(run=lambda call: {"results": [result(call, line) for line in call.body["updates"]]}, answer=ANSWER)
