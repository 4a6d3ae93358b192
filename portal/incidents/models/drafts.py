from django.db import models
from django.utils import timezone

from portal.tenants.models import TenantModel


class DraftTemplate(TenantModel):
    """A text that messages to customers begin with, with placeholders (see `placeholders`)."""

    name = models.CharField(max_length=120)
    subject = models.CharField(max_length=300)
    text = models.TextField()
    version = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by_name = models.CharField(max_length=120)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="one_draft_template_per_name")]

    def __str__(self) -> str:
        return self.name


class Draft(TenantModel):
    """The message to one customer as somebody has written it. Without a row it is what the template gives."""

    notice = models.OneToOneField("incidents.Notice", on_delete=models.CASCADE, related_name="draft")
    subject = models.CharField(max_length=300)
    text = models.TextField()
    version = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by_name = models.CharField(max_length=120)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.subject
