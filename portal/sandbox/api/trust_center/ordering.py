"""Lists that people put into an order of their own (platform-api 4.5.5, 4.5.6)."""

from collections.abc import Iterable

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.route import Call
from portal.sandbox.store import Json


def keep_order(call: Call, name: str, present: Iterable[Json], *, body_key: str) -> None:
    """Keep the order that a body names. Raises Invalid unless it names everything, each once."""
    store_order(call, name, check_complete(call, [body["id"] for body in present], body_key=body_key))


def check_complete(call: Call, present: Iterable[str], *, body_key: str) -> list[str]:
    """Return the ids that a body names. Raises Invalid unless they are those that are there, each once."""
    wanted: list[str] = call.body[body_key]
    if sorted(wanted) != sorted(present):
        raise Invalid.at(f"body.{body_key}", "must be the complete set, each once", value=wanted)
    return wanted


def store_order(call: Call, name: str, ids: list[str]) -> None:
    call.sandbox.store.set_setting(setting(call, name), ids)


def in_order(call: Call, name: str, present: Iterable[Json]) -> list[Json]:
    """Put objects into the kept order; what has come since then stands at the end."""
    order: list[str] = call.sandbox.store.setting(setting(call, name), [])
    places = {object_id: place for place, object_id in enumerate(order)}
    return sorted(present, key=lambda body: places.get(body["id"], len(places)))


def setting(call: Call, name: str) -> str:
    return f"order/{call.tenant.id}/{name}"
