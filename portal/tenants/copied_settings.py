"""Settings of one tenant that can be copied to others: each room registers what of its own can be."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from portal.tenants.models import Membership


class NotCopied(Exception):
    """A tenant cannot take the settings of another one; the message says why, for people."""


@dataclass(frozen=True, kw_only=True)
class CopiedSettings:
    """One kind of settings. `Value` stands for what it reads: equal values are equal settings."""

    label: str
    note: str
    """What is left out, and what becomes of what a tenant has already."""
    read: Callable[[Membership], Any]
    """Read the tenant in scope for this member of it."""
    describe: Callable[[Any], Sequence[str]]
    """Say what they are, a line for each."""
    plan: Callable[[Any, Any], Sequence[str]]
    """Say what the first give to a tenant that has the second, a line for each; nothing: it has them already."""
    apply: Callable[[Any, Membership], None]
    """Give exactly that to the tenant in scope, by the room's own services. In a transaction. Raises NotCopied."""
    lock: Callable[[], object] = lambda: None
    """Keep others from changing them in the tenant in scope until the transaction ends."""


_known: dict[str, CopiedSettings] = {}


def register_copied_settings(key: str, settings: CopiedSettings) -> None:
    """Make settings known that can be copied, from `AppConfig.ready`."""
    _known[key] = settings


def copied_settings() -> dict[str, CopiedSettings]:
    return dict(_known)
