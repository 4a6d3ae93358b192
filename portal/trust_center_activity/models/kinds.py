"""The kinds of platform objects that are read into this room, as runs and stale marks name them, and its live area."""

from typing import Final

AREA: Final = "trust_center_activity"
ACTIVITY, CONVERSATION, MESSAGES = "activity", "conversation", "conversation_messages"
