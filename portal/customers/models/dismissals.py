from django.db import models
from django.utils import timezone

from portal.tenants.models import TenantModel


class Kind(models.TextChoices):
    """What is suggested about the people of a mail domain."""

    ATTACH = "attach", "Attach them to their customer"
    CREATE = "create", "Create a customer"


class Dismissal(TenantModel):
    """A suggestion about a mail domain that somebody does not want to see again. No address is kept."""

    domain = models.CharField(max_length=320)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    dismissed_by_name = models.CharField(max_length=120)
    dismissed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-dismissed_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "domain", "kind"], name="one_dismissal_per_suggestion")]

    def __str__(self) -> str:
        return f"{self.kind} {self.domain}"
