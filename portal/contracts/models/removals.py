from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.contracts.models.contracts import Contract
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

REMOVAL_LEASE = timedelta(seconds=150)
"""How long an attempt owns its removal; longer than the longest task (120 s)."""


class RemovalState(models.TextChoices):
    """waiting -> sending -> done, the good way.

    sending -> uncertain: the platform may have deleted it; the next attempt looks first, and sends again only what is still
    there. sending -> refused: it said no.
    """

    WAITING = "waiting", "To be deleted"
    SENDING = "sending", "Being deleted"
    UNCERTAIN = "uncertain", "Being checked"
    DONE = "done", "Deleted"
    REFUSED = "refused", "Not deleted"


REMOVING = (RemovalState.WAITING.value, RemovalState.SENDING.value, RemovalState.UNCERTAIN.value)


class RemovalQuerySet(TenantQuerySet["Removal"]):
    def open(self) -> Self:
        return self.filter(state__in=REMOVING)

    def due(self, now: datetime) -> Self:
        return self.open().filter(Q(lease_until=None) | Q(lease_until__lte=now), due_at__lte=now)


class Removal(TenantModel):
    """A contract that a person wants deleted on the platform: the work that waits, and later the proof of what came of it."""

    contract = models.ForeignKey(Contract, on_delete=models.CASCADE, related_name="removals")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_by_name = models.CharField(max_length=120)
    asked_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=RemovalState.choices, default=RemovalState.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    """Also tells who owns the row: an outcome is written only while the number is still that of its attempt."""
    due_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)
    description = models.CharField(max_length=300, blank=True)
    settled_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(RemovalQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["contract"], condition=Q(state__in=REMOVING), name="one_open_removal_per_contract")
        ]
        indexes = [models.Index(fields=["due_at"], condition=Q(state__in=REMOVING), name="contract_removals_to_do")]

    def __str__(self) -> str:
        return f"removal of contract {self.contract_id}"

    @property
    def is_open(self) -> bool:
        return self.state in REMOVING
