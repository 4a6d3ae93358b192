"""Which of two states of an object is the older one (guarantee Q11)."""

from datetime import datetime
from typing import Any, Protocol


class Dated(Protocol):
    """A mirrored row: what the platform sent, and when that was changed there."""

    payload: Any
    updated_at: Any


def is_older(updated_date: datetime | None, row: Dated) -> bool:
    """Say whether what was fetched is older than the row.

    Where the platform has left the date out, the row's own is when it was first seen here, and tells nothing of its age; where
    it has sent one that cannot be read, the row may have none.
    """
    return bool(updated_date and row.payload.get("updatedDate") and row.updated_at and updated_date < row.updated_at)
