"""Work that can be done where a team reads of it: the rooms above say how a kind of it looks in Slack."""

from collections.abc import Callable

from portal.notifications.formats import Message
from portal.notifications.models import Notification, TeamChannel

type PostCard = Callable[[TeamChannel, int, Message], bool]
"""Posts one object of the kind with its buttons; False, and nothing is posted, where there is nothing to do any more.

Raises NotTaken and NotConfirmed, as `slack_api.call` does.
"""

_cards: dict[str, PostCard] = {}


def register_card(work_kind: str, post: PostCard) -> None:
    """Have work of this kind posted with buttons to the Slack apps of tenants."""
    _cards[work_kind] = post


def has_card(row: TeamChannel, notification: Notification) -> bool:
    """Say whether a notification goes to this channel as a message of its own."""
    return row.has_app and notification.work_kind in _cards


def post_card(row: TeamChannel, notification: Notification, message: Message) -> bool:
    """Post a notification with its buttons; False where it has none, and has to go as any other."""
    object_id = notification.object_id
    return has_card(row, notification) and object_id is not None and _cards[notification.work_kind](row, object_id, message)
