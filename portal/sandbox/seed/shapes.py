"""The small shapes every made-up object shares: identifiers, moments, people as other objects show them."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

type Json = dict[str, Any]
type Batch = tuple[str, str | None, list[Json]]
"""Objects of one kind, the oldest first, and the id of what they belong to."""


def numbers(start: str) -> Random:
    """Start a series of random numbers that is the same each time. Nothing here is a secret."""
    return Random(start)  # noqa: S311


def new_id(rng: Random) -> str:
    """Make an opaque identifier of 24 lower-case hexadecimal characters."""
    return f"6{rng.getrandbits(92):023x}"


def new_uuid(rng: Random) -> str:
    return str(UUID(int=rng.getrandbits(128), version=4))


def moment(at: datetime) -> str:
    """Write a moment as the platform does: UTC with milliseconds and Z."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ago(now: datetime, rng: Random, *, days: tuple[float, float]) -> datetime:
    """Pick a moment that lies between so many days in the past; negative days lie ahead."""
    return now - timedelta(days=rng.uniform(*days))


def pick(rng: Random, *choices: tuple[float, Any]) -> Any:
    """Pick one value by its weight."""
    return rng.choices([value for _, value in choices], weights=[weight for weight, _ in choices])[0]


def assignment(user: Json) -> Json:
    """Show a user as the owner or approver of something. The mixed case of the type is the platform's own."""
    return {"type": "User", "id": user["id"], "displayName": user["displayName"]}


def actor(user: Json, *, organization_id: str) -> Json:
    """Show a user as the person who edited, approved or added something."""
    given, family = user["displayName"].rsplit(" ", 1)
    return {
        "id": user["id"],
        "organizationId": organization_id,
        "email": user["email"],
        "givenName": given,
        "familyName": family,
    }
