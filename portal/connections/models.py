import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.connections.keys import ring
from portal.tenants.models import TenantModel

EXPIRY_MARGIN = timedelta(seconds=60)
"""A token this close to its end may die on the way."""
LEASE = timedelta(seconds=30)
"""How long a holder may refresh alone; more than twice the longest call to the token endpoint."""
GRACE = timedelta(hours=3)
"""The previous refresh token still works this long after its first use (specification section 3.6)."""
STATE_LIFETIME = timedelta(minutes=10)


class Region(models.TextChoices):
    """Where the tenant's account on the platform lives; nothing reveals it, the person says it."""

    US = "us", "United States"
    EU = "eu", "Europe"
    AU = "au", "Australia"
    GOV = "gov", "Government"


class State(models.TextChoices):
    """active <-> needs_reconnection; both -> disconnected; a new consent makes it active again."""

    ACTIVE = "active", "Connected"
    NEEDS_RECONNECTION = "needs_reconnection", "Needs reconnection"
    DISCONNECTED = "disconnected", "Disconnected"


class Connection(TenantModel):
    """A tenant's grant. Stays one row for ever: reconnecting keeps its source_id, and with it all the work."""

    source_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    region = models.CharField(max_length=3, choices=Region.choices)
    state = models.CharField(max_length=20, choices=State.choices, default=State.DISCONNECTED)
    scopes = models.TextField(blank=True)
    slug_id = models.CharField(max_length=100, blank=True)
    connected_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    connected_at = models.DateTimeField(null=True)

    generation = models.PositiveIntegerField(default=0)
    """Raised with every change of the tokens; a writer that knows an older one is too late."""
    access_token = models.BinaryField(default=b"")
    refresh_token = models.BinaryField(default=b"")
    previous_refresh_token = models.BinaryField(default=b"")
    access_expires_at = models.DateTimeField(null=True)
    refreshed_at = models.DateTimeField(null=True)
    refused_at = models.DateTimeField(null=True)
    """When the platform last refused a token that should have been good: forced refreshes are rare (guarantee T7)."""
    lease_owner = models.CharField(max_length=36, blank=True)
    lease_until = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=300, blank=True)
    last_error_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_connection_per_tenant")]

    def __str__(self) -> str:
        return f"{self.get_state_display()} ({self.region})"

    @property
    def is_active(self) -> bool:
        return self.state == State.ACTIVE

    def place(self, field: str, generation: int) -> str:
        """Name where a token is sealed, so that it opens nowhere else."""
        return f"connection:{self.source_id}:{field}:{generation}"

    def seal(self, field: str, plain: str, *, generation: int) -> bytes:
        return ring().seal(plain, place=self.place(field, generation))

    def open(self, field: str) -> str:
        """Read one of the tokens; empty when there is none. Raises Locked when no key opens it."""
        sealed = bytes(getattr(self, field))
        # The previous refresh token was sealed one generation ago and is copied as it is.
        name, generation = (
            ("refresh_token", self.generation - 1) if field == "previous_refresh_token" else (field, self.generation)
        )
        return ring().open(sealed, place=self.place(name, generation)) if sealed else ""

    def has_live_token(self, now: datetime) -> bool:
        return bool(self.access_expires_at and self.access_token and now < self.access_expires_at - EXPIRY_MARGIN)


class CallWindow(TenantModel):
    """A tenant's calls in the running minute of one of the platform's buckets (platform-api 1.5)."""

    bucket = models.CharField(max_length=40)
    started_at = models.DateTimeField()
    calls = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "bucket"], name="one_window_per_bucket")]

    def __str__(self) -> str:
        return f"{self.calls} of {self.bucket}"


class ConnectFlow(TenantModel):
    """One walk through the platform's consent screen: begun by one person in one browser, ended once, within ten minutes."""

    state_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    session_hash = models.CharField(max_length=64)
    region = models.CharField(max_length=3, choices=Region.choices)
    redirect_uri = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"flow of {self.created_at:%Y-%m-%d %H:%M}"

    def has_expired(self, now: datetime) -> bool:
        return now > self.created_at + STATE_LIFETIME


class Suspension(TenantModel):
    """A token that was cut here and has to be suspended at the platform. Wiped once that is confirmed."""

    place = models.UUIDField(default=uuid.uuid4, unique=True)
    region = models.CharField(max_length=3, choices=Region.choices)
    token = models.BinaryField(default=b"")
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveIntegerField(default=0)
    confirmed_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=300, blank=True)

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=models.Q(confirmed_at=None), name="suspensions_to_do")]

    def __str__(self) -> str:
        return "confirmed" if self.confirmed_at else f"waiting, {self.attempts} attempts"

    def put(self, plain: str) -> None:
        self.token = ring().seal(plain, place=f"suspension:{self.place}")

    def open(self) -> str:
        return ring().open(bytes(self.token), place=f"suspension:{self.place}")


class TokenBudget(models.Model):
    """The calls to one token endpoint in the last minute, of all tenants together (specification section 8)."""

    endpoint = models.CharField(max_length=200, unique=True)
    calls = models.JSONField(default=list)
    """Seconds since the epoch of each call still inside the window."""
    closed_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{len(self.calls)} calls"
