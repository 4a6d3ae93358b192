"""What the platform sends of audits, as it may be kept: storable, and without people who were erased (guarantee S11)."""

from typing import Any

from portal.tenants import mentions

NAMES = ("displayName", "authorName", "name")
"""Keys of a person's name that stand beside their address."""
SIGNED = "url"
"""Of a file of evidence: who knows the address has the file, so it is asked for anew and never kept."""


def cleaned(decoded: Any) -> Any:
    """Return what may be kept of an object, or of a list of them."""
    return mentions.cleaned(decoded, NAMES)


def without_address(payload: Any) -> Any:
    """Return a file of evidence without its signed address. What the customer gave as a link stays one."""
    is_link = payload.get("isDownloadable") is False or payload.get("evidenceType") == "LINK"
    return payload if is_link else {key: value for key, value in payload.items() if key != SIGNED}
