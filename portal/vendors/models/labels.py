from django.db import models

from portal.lib.platform_choices import Pill, pill_of
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel
from portal.vendors.models.choices import RISKS
from portal.vendors.models.vendors import MAX_NAME_LENGTH, MAX_WORD_LENGTH

MAX_EMAIL_LENGTH = 320


class LabelKind(models.TextChoices):
    """What vendors name by an id alone."""

    USER = "user", "Owner"
    RISK = "risk", "Risk attribute"


class Label(TenantModel):
    """What an owner or a risk attribute is called: vendors tell its id alone."""

    kind = models.CharField(max_length=10, choices=LabelKind.choices)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    folded_email = models.CharField(max_length=MAX_EMAIL_LENGTH, blank=True)
    """Of an owner."""
    risk_level = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """Of a risk attribute."""
    read_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "kind", "platform_id"], name="one_label_per_vendor_id")]
        indexes = [models.Index(fields=["tenant", "folded_email"], name="vendor_owners_of_address")]

    def __str__(self) -> str:
        return self.name

    @property
    def risk_pill(self) -> Pill:
        return pill_of(self.risk_level, RISKS, without="Not scored")
