"""The operations on one object that every simple kind shares: read, create, change, delete."""

from collections.abc import Callable

from portal.sandbox.api.route import Call, Operation
from portal.sandbox.kinds import KINDS
from portal.sandbox.objects import Missing
from portal.sandbox.schemas import SUCCESS
from portal.sandbox.store import Json
from portal.sandbox.values import new_id, normalised

CHANGE_DATES = ("updatedDate", "modificationDate", "lastModifiedDate", "lastUpdated")
"""What the platform calls the moment of the last change."""

type Fill = Callable[[Call], Json]
"""Makes fields of an object that are not simply what was sent."""
type Then = Callable[[Call, Json], None]
"""Is told the object after it was written, for what follows from the change."""


def as_sent(call: Call) -> Json:
    return {}


def no_more(call: Call, body: Json) -> None:
    return None


def reading(kind: str) -> Operation:
    """Answer the object that the path names."""
    return Operation(run=lambda call: call.object, answer=KINDS[kind].shape)


def creating(kind: str, *, fill: Fill = as_sent, then: Then = no_more) -> Operation:
    """Add an object: what was sent, what `fill` makes, and the shape's emptiest value for the rest."""
    shape, parent = KINDS[kind].shape, KINDS[kind].parent

    def run(call: Call) -> Json:
        # Null for something that an object need not have means that it is not set.
        sent = {
            name: value for name, value in known(call.body, shape).items() if value is not None or name in shape["required"]
        }
        made = blank(shape, now=call.now) | sent | fill(call)
        parent_id = call.found[parent]["id"] if parent in call.found else None
        call.sandbox.objects.add(call.tenant.id, kind, made, parent_id=parent_id)
        then(call, made)
        return made

    return Operation(run=run, answer=shape)


def updating(kind: str, *, fill: Fill = as_sent, then: Then = no_more) -> Operation:
    """Change the object that the path names: what is not sent stays (platform-api 1.2)."""
    shape = KINDS[kind].shape

    def run(call: Call) -> Json:
        check_alive(call, kind)
        made = call.object | known(call.body, shape) | fill(call)
        changed = saved(call, kind, made)
        then(call, changed)
        return changed

    return Operation(run=run, answer=shape)


def deleting(kind: str, *, then: Then = no_more) -> Operation:
    """Delete the object that the path names, or set its deletionDate where the kind is a soft one."""

    def run(call: Call) -> None:
        check_alive(call, kind)
        if KINDS[kind].is_soft:
            saved(call, kind, call.object | {"deletionDate": call.now})
        else:
            call.sandbox.objects.delete(call.tenant.id, kind, call.object["id"])
        then(call, call.object)

    return Operation(run=run, answer=None)


def succeeding(run: Callable[[Call], object]) -> Operation:
    """Do something and answer that it was successful."""

    def answer(call: Call) -> Json:
        run(call)
        return {"isSuccessful": True}

    return Operation(run=answer, answer=SUCCESS)


def saved(call: Call, kind: str, body: Json) -> Json:
    """Write an object back, with the moment of its change where it has one."""
    dates = {name: call.now for name in CHANGE_DATES if name in KINDS[kind].shape["properties"]}
    return call.sandbox.objects.save(call.tenant.id, kind, body | dates)


def check_alive(call: Call, kind: str) -> None:
    """Refuse to change what was deleted softly (specification 7)."""
    if KINDS[kind].is_soft and call.object.get("deletionDate"):
        raise Missing(kind, call.object["id"])


def known(sent: Json, shape: Json) -> Json:
    """Pick what an object of this shape has out of what was sent, moments in the form the platform answers."""
    properties = shape["properties"]
    return {
        name: normalised(value) if isinstance(value, str) and is_moment(properties[name]) else value
        for name, value in sent.items()
        if name in properties
    }


def is_moment(schema: Json) -> bool:
    return any(option.get("format") == "date-time" for option in schema.get("anyOf", [schema]))


def blank(shape: Json, *, now: str) -> Json:
    """Make the emptiest object of a shape: only what it always has. The schema of a property says what "empty" is."""
    return {"id": new_id()} | {name: emptiest(shape["properties"][name], now=now) for name in shape["required"] if name != "id"}


def emptiest(schema: Json, *, now: str) -> object:
    if "anyOf" in schema:
        return None if {"type": "null"} in schema["anyOf"] else emptiest(schema["anyOf"][0], now=now)
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("format") == "date-time":
        return now
    if schema.get("type") == "object" and "required" in schema:
        return {name: emptiest(schema["properties"][name], now=now) for name in schema["required"]}
    return EMPTY[schema["type"]]


EMPTY: dict[str, object] = {"string": "", "array": [], "boolean": False, "integer": 0, "number": 0, "object": {}}
