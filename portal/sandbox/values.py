"""How the platform writes identifiers and moments (platform-api 1.2)."""

import secrets
import time
from datetime import UTC, datetime


def new_id() -> str:
    """Make an opaque identifier of 24 lower-case hexadecimal characters."""
    return f"{int(time.time()):08x}{secrets.token_hex(8)}"


def moment(at: datetime | float) -> str:
    """Write a moment as every answer does: UTC with milliseconds and Z."""
    if not isinstance(at, datetime):
        at = datetime.fromtimestamp(at, UTC)
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_moment(text: str) -> datetime:
    """Read an ISO 8601 moment; a date alone means its midnight in UTC. Raises ValueError."""
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def normalised(text: str | None) -> str | None:
    """Rewrite a moment that somebody sent in the form the platform answers."""
    return None if text is None else moment(read_moment(text))
