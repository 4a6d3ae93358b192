from django.db import models
from django.utils import timezone

from portal.connections.models.connection import Connection
from portal.connections.policy import Urgency
from portal.lib.counted import counted
from portal.tenants.models import TenantModel


class TokenEndpoint(models.Model):
    """The token endpoint of one API host: what it was asked lately, by all tenants together (specification section 8)."""

    url = models.CharField(max_length=200, unique=True)
    calls = models.JSONField(default=list)
    """A moment (`lib.clock`) for each call still inside the window."""
    closed_at = models.JSONField(null=True)
    """The moment of a 429."""
    closed_for = models.FloatField(default=0)
    """Seconds from then on in which nobody calls."""
    hours = models.JSONField(default=dict)
    """Calls by the hour since the epoch, of the last day."""
    busy_told_at = models.DateTimeField(null=True)
    """When the operator was last told that a day's calls are nearly used up."""
    trouble = models.CharField(max_length=10, blank=True)
    """Why the endpoint refuses the portal itself; a key of `alarms.TROUBLES`. Every connection is affected."""
    trouble_since = models.DateTimeField(null=True)
    trouble_told_at = models.DateTimeField(null=True)
    credentials = models.CharField(max_length=64, blank=True)
    """A fingerprint of what was refused: other credentials are tried at once."""

    def __str__(self) -> str:
        return counted(len(self.calls), "call")


class TokenRequest(TenantModel):
    """A tenant that waits for a token: one row however many callers there are, with the urgency of the most urgent."""

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    urgency = models.PositiveSmallIntegerField(choices=[(each.value, each.label) for each in Urgency])
    work = models.PositiveIntegerField(default=1)
    """How many objects wait for it."""
    since = models.DateTimeField(default=timezone.now)
    """When the oldest of the work began to wait."""
    due_at = models.DateTimeField(default=timezone.now)
    """Not before: after a failure the endpoint is left alone for a while."""

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="token_requests_due")]

    def __str__(self) -> str:
        return f"{Urgency(self.urgency).label}: {self.work}"


class CallWindow(TenantModel):
    """A tenant's calls in the running minute of one of the platform's buckets (platform-api 1.5)."""

    bucket = models.CharField(max_length=40)
    started_at = models.DateTimeField()
    calls = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "bucket"], name="one_window_per_bucket")]

    def __str__(self) -> str:
        return f"{self.calls} of {self.bucket}"
