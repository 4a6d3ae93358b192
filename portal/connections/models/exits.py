import uuid

from django.db import models
from django.utils import timezone

from portal.connections.models.connection import Region
from portal.lib.keys import ring
from portal.tenants.models import TenantModel

SEALED_FIELDS = ("token", "client_secret")


class Suspension(TenantModel):
    """A token that was cut here and has to be suspended at the platform. Wiped once that is confirmed."""

    place = models.UUIDField(default=uuid.uuid4, unique=True)
    region = models.CharField(max_length=3, choices=Region.choices)
    client_id = models.CharField(max_length=200, blank=True)
    """Of the tenant's own application; empty for the portal's."""
    client_secret = models.BinaryField(default=b"")
    token = models.BinaryField(default=b"")
    exit = models.ForeignKey("ExitRecord", on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveIntegerField(default=0)
    confirmed_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=300, blank=True)

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=models.Q(confirmed_at=None), name="suspensions_to_do")]

    def __str__(self) -> str:
        return "confirmed" if self.confirmed_at else f"waiting, {self.attempts} attempts"

    def sealed_at(self, field: str) -> str:
        """Name where a value is sealed, so that it opens nowhere else."""
        return f"suspension:{self.place}" if field == "token" else f"suspension:{self.place}:{field}"

    def put(self, field: str, plain: str) -> None:
        setattr(self, field, ring().seal(plain, place=self.sealed_at(field)) if plain else b"")

    def open(self, field: str) -> str:
        sealed = bytes(getattr(self, field))
        return ring().open(sealed, place=self.sealed_at(field)) if sealed else ""


class ExitRecord(models.Model):
    """What stays when a grant was ended: who ended which, when, and when the platform confirmed it. Signed.

    Belongs to no tenant's rows on purpose: it outlives the tenant.
    """

    has_row_security = True

    reference = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    tenant_id = models.BigIntegerField(db_index=True)
    content = models.JSONField()
    signature = models.CharField(max_length=200)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return str(self.reference)
