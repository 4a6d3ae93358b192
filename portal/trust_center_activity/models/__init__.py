"""What was done, what was asked, which words are watched, and how far each list has been read."""

from portal.trust_center_activity.models.activity import TYPES, Activity, ActivityQuerySet, DailySum, Subject, day_of
from portal.trust_center_activity.models.conversations import USER, Conversation, ConversationQuerySet, Message
from portal.trust_center_activity.models.reading import ACTIVITY, AREA, CONVERSATION, MESSAGES
from portal.trust_center_activity.models.watching import Follower, Mention, MentionQuerySet, Notice, WatchedWord

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
