"""Every change in the room: storing what the platform says, keeping the sums, watching words, erasing a person."""

from portal.trust_center_activity.services.erasure import register_personal_data
from portal.trust_center_activity.services.notifications import tell_followers
from portal.trust_center_activity.services.watched_words import (
    NotAWord,
    TooManyWords,
    WordGone,
    follow,
    forget_follower,
    mark_seen,
    note_conversation_export,
    note_export,
    unfollow,
    unwatch,
    watch,
)

__all__ = [
    "NotAWord",
    "TooManyWords",
    "WordGone",
    "follow",
    "forget_follower",
    "mark_seen",
    "note_conversation_export",
    "note_export",
    "register_personal_data",
    "tell_followers",
    "unfollow",
    "unwatch",
    "watch",
]
