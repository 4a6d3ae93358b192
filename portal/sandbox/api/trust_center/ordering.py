"""Lists that people put into an order of their own (platform-api 4.5.5, 4.5.6)."""

from collections.abc import Iterable

from portal.sandbox.api.errors import Invalid
from portal.sandbox.api.route import Call
from portal.sandbox.store import Json


def keep_order(call: Call, name: str, present: Iterable[Json], *, body_key: str) -> None:
    """Keep the order that a body names. Raises Invalid unless it names everything, each once."""
    wanted = call.body[body_key]
    if sorted(wanted) != sorted(body["id"] for body in present):
        raise Invalid.at(f"body.{body_key}", "must be the complete set, each once", value=wanted)
    call.sandbox.store.set_setting(setting(call, name), wanted)


def in_order(call: Call, name: str, present: Iterable[Json]) -> list[Json]:
    """Put objects into the kept order; what has come since then stands at the end."""
    order: list[str] = call.sandbox.store.setting(setting(call, name), [])
    places = {object_id: place for place, object_id in enumerate(order)}
    return sorted(present, key=lambda body: places.get(body["id"], len(places)))


def setting(call: Call, name: str) -> str:
    return f"order/{call.tenant.id}/{name}"
