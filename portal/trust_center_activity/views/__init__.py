"""The pages of the room."""

from portal.trust_center_activity.views.activity import activity_export, activity_list
from portal.trust_center_activity.views.conversations import conversation, conversation_export, conversation_list
from portal.trust_center_activity.views.overview import of_domain, overview
from portal.trust_center_activity.views.watched_words import follow, mark_seen, unfollow, unwatch, watch

__all__ = [
    "activity_export",
    "activity_list",
    "conversation",
    "conversation_export",
    "conversation_list",
    "follow",
    "mark_seen",
    "of_domain",
    "overview",
    "unfollow",
    "unwatch",
    "watch",
]
