from typing import Final

AREA: Final = "trust_center_activity"
"""The live area that the room's pages watch."""
ACTIVITY, CONVERSATION, MESSAGES = "activity", "conversation", "conversation_messages"
"""What is read from the platform, as stale marks and comparisons name it."""
