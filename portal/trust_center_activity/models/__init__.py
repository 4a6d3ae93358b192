"""What was done, what was asked, which words are watched, and the kinds of objects that are read."""

from portal.trust_center_activity.models.activity import TYPES, Activity, ActivityQuerySet, DailySum, Subject, day_of
from portal.trust_center_activity.models.conversations import USER, Conversation, ConversationQuerySet, Message
from portal.trust_center_activity.models.kinds import ACTIVITY, AREA, CONVERSATION, MESSAGES
from portal.trust_center_activity.models.watched_words import Follower, Mention, MentionQuerySet, Notice, WatchedWord

__all__ = [
    "ACTIVITY",
    "AREA",
    "CONVERSATION",
    "MESSAGES",
    "TYPES",
    "USER",
    "Activity",
    "ActivityQuerySet",
    "Conversation",
    "ConversationQuerySet",
    "DailySum",
    "Follower",
    "Mention",
    "MentionQuerySet",
    "Message",
    "Notice",
    "Subject",
    "WatchedWord",
    "day_of",
]
