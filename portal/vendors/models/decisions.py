from django.db import models
from django.db.models import F

from portal.lib.platform_choices import Pill, pill_of
from portal.tenants.models import TenantModel
from portal.vendors.models.choices import DECISIONS
from portal.vendors.models.vendors import MAX_WORD_LENGTH, Vendor


class Decision(TenantModel):
    """One decision about a vendor, as an event told it or a fetch showed it: the platform keeps only the latest one."""

    vendor = models.ForeignKey(Vendor, on_delete=models.CASCADE, related_name="decisions")
    status = models.CharField(max_length=MAX_WORD_LENGTH)
    decided_at = models.DateTimeField(null=True)
    comments = models.TextField(blank=True)
    """Only the event tells them."""
    told_at = models.DateTimeField(null=True)
    """When an event told it."""
    confirmed_at = models.DateTimeField(null=True)
    """When a fetch showed it for the first time."""

    class Meta:
        ordering = [F("decided_at").desc(nulls_last=True), "-id"]
        constraints = [models.UniqueConstraint(fields=["vendor", "status", "decided_at"], name="one_row_per_vendor_decision")]

    def __str__(self) -> str:
        return self.pill[0]

    @property
    def pill(self) -> Pill:
        return pill_of(self.status, DECISIONS)
