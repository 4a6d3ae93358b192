from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.connections.models.connection import Region
from portal.tenants.models import TenantModel

STATE_LIFETIME = timedelta(minutes=10)
HOLD = timedelta(minutes=2)
"""How long a call of the token budget is held for whoever is on the consent screen."""


class AuthorizationRequest(TenantModel):
    """One walk through the platform's consent screen: begun by one person in one browser, ended once, within ten minutes."""

    state_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    session_hash = models.CharField(max_length=64)
    region = models.CharField(max_length=3, choices=Region.choices)
    redirect_uri = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True)
    issuer = models.CharField(max_length=200, blank=True)
    """What the platform called itself when it sent the browser back, if that was not what was expected."""

    class Meta:
        indexes = [models.Index(fields=["created_at"], condition=models.Q(used_at=None), name="flows_on_their_way")]

    def __str__(self) -> str:
        return f"flow of {self.created_at:%Y-%m-%d %H:%M}"

    def has_expired(self, now: datetime) -> bool:
        return now > self.created_at + STATE_LIFETIME
