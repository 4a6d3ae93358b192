"""What the connection page says of grants that are being ended at the platform, or have just been."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from portal.connections.models import Connection, State, Suspension

SHOWN_FOR = timedelta(days=1)
"""For how long it is told that a replaced grant has ended; the history keeps it."""


@dataclass(frozen=True)
class Ending:
    """How far the end of a grant is, in words."""

    title: str
    text: str
    tone: str


def ending(connection: Connection | None) -> Ending | None:
    """Say how far the end of the last grant is; nothing when there was none, or when it is long over."""
    if connection is None:
        return None
    rows = list(Suspension.objects.order_by("-created_at")[:20])
    waiting = [row for row in rows if row.confirmed_at is None]
    if waiting:
        return _waiting(connection, waiting)
    is_replaced = connection.state in (State.ACTIVE, State.UNCONFIRMED)
    since = timezone.now() - SHOWN_FOR if is_replaced else None
    latest = [row for row in rows if row.confirmed_at and (since is None or row.confirmed_at > since)]
    if not latest:
        return None
    if is_replaced:
        text = "Confirmed by the platform: the tokens are suspended there and wiped here."
        return Ending("The grant that was replaced has ended", text, "good")
    return Ending("The platform has confirmed the end of the grant", "Its tokens are suspended there and wiped here.", "good")


def _waiting(connection: Connection, waiting: list[Suspension]) -> Ending:
    is_replaced = connection.state in (State.ACTIVE, State.UNCONFIRMED)
    title = "The grant that was replaced is being ended" if is_replaced else "The grant is being ended"
    number = "1 token is waiting" if len(waiting) == 1 else f"{len(waiting)} tokens are waiting"
    text = f"{number} to be suspended on the platform. The portal retries until the platform confirms it."
    last_error = next((row.last_error for row in waiting if row.last_error), "")
    return Ending(title, f"{text} Last attempt: {last_error}" if last_error else text, "warn")
