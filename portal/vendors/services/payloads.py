"""What the platform sends of vendors, as it may be kept: storable, and without people who were erased (guarantee S11)."""

from typing import Any

from portal.tenants import mentions

NAMES = ("displayName", "accountManagerName")
"""Keys of a person's name that stand beside their address."""


def cleaned(decoded: Any) -> Any:
    """Return what may be kept of an object, or of a list of them."""
    return mentions.cleaned(decoded, NAMES)
