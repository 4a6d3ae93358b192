"""Changes of many objects in one request: 200 even when every line failed (platform-api 4.6)."""

from collections.abc import Callable

from portal.sandbox.api.route import Call, Operation
from portal.sandbox.objects import Missing
from portal.sandbox.schemas import NAME, STRING, array, closed, one_of, record, unpaged
from portal.sandbox.store import Json

SUCCESS, ERROR = "SUCCESS", "ERROR"
LINE = record(id=STRING, status=one_of(SUCCESS, ERROR), optional={"message": STRING})


def updates(limits: dict[str, int] | None = None, **required: Json) -> Json:
    """Make the schema of a body with a line per object: its id and what else every line has to say."""
    line = closed(required=["id", *required], id=NAME, **required)
    return closed(required=["updates"], updates=array(line, **(limits or {})))


def line_by_line(change: Callable[[Call, Json], object]) -> Operation:
    """Make the operation that does every line; one that names nothing fails alone."""

    def result(call: Call, line: Json) -> Json:
        try:
            change(call, line)
        except Missing as missing:
            return {"id": line["id"], "status": ERROR, "message": str(missing)}
        return {"id": line["id"], "status": SUCCESS}

    return Operation(
        run=lambda call: {"results": [result(call, line) for line in call.body["updates"]]},
        answer=unpaged(LINE),
    )
