"""What the platform sends of vendors, as it may be kept: storable, and without people who were erased (guarantee S11)."""

from typing import Any

from portal.lib.storable import storable
from portal.tenants.erased_people import ERASED, without_mention, without_mentions

NAMES = ("displayName", "accountManagerName")
"""Keys of a person's name that stand beside their address."""


def cleaned(decoded: Any) -> Any:
    """Return what may be kept of an object, or of a list of them."""
    return _without_names(without_mentions(storable(decoded)))


def without_person(payload: Any, email: str) -> Any:
    """Take one address out of every text of an object, and the name that stands beside it."""
    return _without_names(without_mention(payload, email))


def _without_names(value: Any) -> Any:
    match value:
        case dict():
            names = NAMES if ERASED in value.values() else ()
            return {key: ERASED if key in names and item else _without_names(item) for key, item in value.items()}
        case list():
            return [_without_names(item) for item in value]
        case _:
            return value
