from typing import Final

from django.db import models

from portal.tenants.models import TenantModel

AREA: Final = "trust_center_activity"
"""The live area that the room's pages watch."""
ACTIVITY, CONVERSATION, MESSAGES = "activity", "conversation", "conversation_messages"
"""What is read from the platform, as stale marks and comparisons name it."""


class Reading(TenantModel):
    """How far one list of the platform has been read: set when a reading came to its end, and only then."""

    kind = models.CharField(max_length=40)
    newest_at = models.DateTimeField(null=True)
    """The latest date of what was read."""
    whole_at = models.DateTimeField(null=True)
    """When the last reading began that looked at more than the news."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "kind"], name="one_reading_per_kind")]

    def __str__(self) -> str:
        return self.kind
