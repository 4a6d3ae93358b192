import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models

from portal.lib.keys import ring
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel

EXPIRY_MARGIN = timedelta(seconds=60)
"""A token this close to its end may die on the way."""
LEASE = timedelta(seconds=30)
"""How long a holder may refresh alone; more than twice the longest call to the token endpoint."""
MAX_LEASE = 2 * LEASE
"""One that ends further ahead was taken under a clock that has been set back since, and is none."""
GRACE = timedelta(hours=3)
"""The previous refresh token still works this long after its first use (specification section 3.6)."""


class Region(models.TextChoices):
    """Where the tenant's account on the platform lives; nothing reveals it, the person says it."""

    US = "us", "United States"
    EU = "eu", "Europe"
    AU = "au", "Australia"
    GOV = "gov", "Government"


class GrantType(models.TextChoices):
    """How the tokens are come by (specification section 5): the portal's application, or one of the tenant's own."""

    AUTHORIZATION_CODE = "authorization_code", "Consent on the platform"
    CLIENT_CREDENTIALS = "client_credentials", "The tenant's own application"


class State(models.TextChoices):
    """unconfirmed -> active <-> needs_reconnection; unconfirmed -> needs_reconnection when its account is rejected; all ->
    disconnected; a new consent begins anew."""

    UNCONFIRMED = "unconfirmed", "Needs confirmation"
    ACTIVE = "active", "Connected"
    NEEDS_RECONNECTION = "needs_reconnection", "Needs reconnection"
    DISCONNECTED = "disconnected", "Disconnected"


SEALED_FIELDS = ("access_token", "refresh_token", "previous_refresh_token", "client_secret")


class Connection(TenantModel):
    """A tenant's grant. Stays one row for ever: reconnecting keeps its source_id, and with it all the work."""

    source_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    region = models.CharField(max_length=3, choices=Region.choices)
    grant_type = models.CharField(max_length=20, choices=GrantType.choices, default=GrantType.AUTHORIZATION_CODE)
    client_id = models.CharField(max_length=200, blank=True)
    """Of the tenant's own application; empty for the portal's."""
    client_secret = models.BinaryField(default=b"")
    state = models.CharField(max_length=20, choices=State.choices, default=State.DISCONNECTED)
    scopes = models.TextField(blank=True)
    connected_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    connected_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    """When the grant ended without anybody here wanting it; the owners are told once."""
    told_at = models.DateTimeField(null=True)
    purge_at = models.DateTimeField(null=True)
    """When the copy of the platform's data is removed, if that was chosen with the disconnect."""

    slug_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    slug_verified_at = models.DateTimeField(null=True)
    probed_at = models.DateTimeField(null=True)
    """When all areas had been asked for, last."""
    probe_begun_at = models.DateTimeField(null=True)
    """When they were last begun to be asked for: those that are never done keep nobody else waiting."""
    checked_at = models.DateTimeField(null=True)
    """When a person last asked for a check."""
    account = models.CharField(max_length=200, blank=True)
    """The account on the platform in words, as far as it can be told."""

    generation = models.PositiveIntegerField(default=0)
    """Raised with every change of the tokens; a writer that knows an older one is too late."""
    access_token = models.BinaryField(default=b"")
    refresh_token = models.BinaryField(default=b"")
    previous_refresh_token = models.BinaryField(default=b"")
    access_expires_at = models.DateTimeField(null=True)
    refreshed_at = models.DateTimeField(null=True)
    attempted_at = models.DateTimeField(null=True)
    """When the first call with the current refresh token began; empty once its answer is stored (guarantee T4)."""
    current_refused_at = models.DateTimeField(null=True)
    """When the platform refused the current refresh token: the one before it is next."""
    refused_at = models.DateTimeField(null=True)
    """When the platform last refused a token that should have been good: forced refreshes are rare (guarantee T7)."""
    lease_owner = models.CharField(max_length=36, blank=True)
    lease_until = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    """Calls to the token endpoint in a row that had no usable answer."""
    last_error = models.CharField(max_length=300, blank=True)
    last_error_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_connection_per_tenant")]

    def __str__(self) -> str:
        return f"{self.get_state_display()} ({self.region})"

    @property
    def is_active(self) -> bool:
        return self.state == State.ACTIVE

    @property
    def holds_grant(self) -> bool:
        """Say whether there is something that could be ended."""
        return self.state in (State.UNCONFIRMED, State.ACTIVE, State.NEEDS_RECONNECTION)

    @property
    def grant_mark(self) -> str:
        """Tell the grant apart from those before and after it, for a form: whoever answers it means the one that was shown."""
        return self.connected_at.isoformat() if self.connected_at else ""

    @property
    def is_own_application(self) -> bool:
        return self.grant_type == GrantType.CLIENT_CREDENTIALS

    def place(self, field: str) -> str:
        """Name where a value is sealed, so that it opens nowhere else: of another row, another field or another generation."""
        if field == "client_secret":
            return f"connection:{self.source_id}:client_secret"
        # The previous refresh token was sealed one generation ago and is copied as it is.
        is_copied = field == "previous_refresh_token"
        name, generation = ("refresh_token", self.generation - 1) if is_copied else (field, self.generation)
        return f"connection:{self.source_id}:{name}:{generation}"

    def seal(self, field: str, plain: str) -> bytes:
        """Seal a value for this row as it is now: raise the generation first."""
        return ring().seal(plain, place=self.place(field)) if plain else b""

    def open(self, field: str) -> str:
        """Read one of the sealed fields; empty when there is none. Raises Locked when no key opens it."""
        sealed = bytes(getattr(self, field))
        return ring().open(sealed, place=self.place(field)) if sealed else ""

    def forget_tokens(self) -> None:
        """Leave nothing that a call could be made with, nor anything that is known of it. Put the tokens aside first."""
        self.generation += 1
        self.access_token = self.refresh_token = self.previous_refresh_token = self.client_secret = b""
        self.access_expires_at = self.lease_until = self.attempted_at = self.current_refused_at = self.ended_at = None
        self.lease_owner = self.last_error = ""

    def is_leased(self, now: datetime) -> bool:
        """Say whether somebody is fetching a token right now."""
        return bool(self.lease_owner and self.lease_until and now <= self.lease_until <= now + MAX_LEASE)

    def has_live_token(self, now: datetime) -> bool:
        if not (self.access_expires_at and self.access_token):
            return False
        # Of a token that hardly lives longer than the margin, half the life is used: else each call would fetch another one.
        life = self.access_expires_at - self.refreshed_at if self.refreshed_at else 2 * EXPIRY_MARGIN
        return now < self.access_expires_at - min(EXPIRY_MARGIN, life / 2)
