from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

MAX_SLACK_ID = 40


class MessageState(models.TextChoices):
    """How long a message is kept up to date."""

    OPEN = "open", "Open"
    SETTLED = "settled", "Settled"
    """It shows what became of the request. It changes once more if the request is erased."""
    DONE = "done", "Done"
    """It shows nothing of a request anymore, or cannot be changed."""


ERASED = Q(access_request=None) & ~Q(state=MessageState.DONE)


class DecisionMessageQuerySet(TenantQuerySet["DecisionMessage"]):
    """Chains of messages."""

    def changed(self, now: datetime) -> Self:
        """Those that show a request as it was, and whose next try has come."""
        return self.filter(state=MessageState.OPEN, access_request__touched_at__gt=F("shown_at"), due_at__lte=now)

    def erased(self, now: datetime) -> Self:
        """Those that show a request which is no longer here."""
        return self.filter(ERASED, due_at__lte=now)


class DecisionMessage(TenantModel):
    """A message in Slack on which people decide an access request. It is changed in place as the request goes on."""

    access_request = models.ForeignKey(AccessRequest, on_delete=models.SET_NULL, null=True, related_name="+")
    """None: it was erased here, and the message may not tell of it any longer."""
    conversation = models.CharField(max_length=MAX_SLACK_ID)
    message_id = models.CharField(max_length=MAX_SLACK_ID)
    """Slack's `ts`, which names a message within its conversation."""
    state = models.CharField(max_length=8, choices=MessageState.choices, default=MessageState.OPEN)
    shown_at = models.DateTimeField()
    """The `touched_at` of the request as the message shows it."""
    posted_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    """When it may be changed next; later than now after a failure."""
    attempts = models.PositiveSmallIntegerField(default=0)

    objects = TenantManager.from_queryset(DecisionMessageQuerySet)()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "conversation", "message_id"], name="one_row_per_slack_message")
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state=MessageState.OPEN), name="slack_messages_that_change"),
            models.Index(fields=["due_at"], condition=ERASED, name="slack_messages_of_nobody"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation} {self.message_id}"
