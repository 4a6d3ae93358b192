from datetime import datetime, timedelta
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.contracts.models.contracts import Contract
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

READING_LEASE = timedelta(seconds=150)
"""How long a worker owns a reading; longer than the longest task (120 s)."""
MAX_READING_ATTEMPTS = 5
"""A document at which so many workers have died is given up."""


class ReadingState(models.TextChoices):
    """waiting -> read, the good way; or none: the document is pictures; or failed: it cannot be read, the words say why."""

    WAITING = "waiting", "Being read"
    READ = "read", "Read"
    NONE = "none", "No text in it"
    FAILED = "failed", "Could not be read"
    REMOVED = "removed", "Removed"


READING_TONES = {"waiting": "info", "read": "good", "none": "warn", "failed": "bad", "removed": "muted"}


def stored_document(reading: "Reading", filename: str) -> str:
    """Name the stored file by chance: nothing of the person's file name becomes part of a path."""
    return f"contracts/{reading.tenant_id}/{uuid4().hex}.pdf"


class ReadingQuerySet(TenantQuerySet["Reading"]):
    def due(self, now: datetime) -> Self:
        """Those that wait and that no worker has in hand."""
        return self.filter(Q(lease_until=None) | Q(lease_until__lte=now), state=ReadingState.WAITING).exclude(contract=None)

    def with_leftover_file(self) -> Self:
        return self.exclude(state=ReadingState.WAITING, contract__isnull=False).exclude(file="")


class Reading(TenantModel):
    """A document whose text is to be read: the work that waits, and later what came of it. The file goes, the text stays."""

    # Not taken along when the contract goes: whoever deletes this row deletes its file.
    contract = models.OneToOneField(Contract, on_delete=models.SET_NULL, null=True, related_name="reading")
    file = models.FileField(upload_to=stored_document, max_length=200)
    """Empty once it was read. Never served: the storage has no address."""
    state = models.CharField(max_length=10, choices=ReadingState.choices, default=ReadingState.WAITING)
    description = models.CharField(max_length=300, blank=True)
    """Why it could not be read, or not to its end."""
    page_count = models.PositiveIntegerField(default=0)
    """How many pages the document has, as far as it could be told."""
    attempts = models.PositiveIntegerField(default=0)
    """Also tells who owns the row: an outcome is written only while the number is still that of its attempt."""
    tries = models.PositiveIntegerField(default=0)
    """How often this document was begun with."""
    lease_until = models.DateTimeField(null=True)
    handed_in_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    handed_in_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ReadingQuerySet)()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["id"], condition=Q(state="waiting"), name="contract_readings_to_do")]

    def __str__(self) -> str:
        return f"reading of contract {self.contract_id}"

    @property
    def tone(self) -> str:
        return READING_TONES.get(self.state, "muted")
