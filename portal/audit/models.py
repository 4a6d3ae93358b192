from django.conf import settings
from django.db import models

from portal.tenants.models import TenantModel


class Source(models.TextChoices):
    """What made the change."""

    PERSON = "person", "Person"
    RULE = "rule", "Rule"
    EVENT = "event", "Event"
    SYNC = "sync", "Sync"
    SYSTEM = "system", "System"


MAX_TARGET_LENGTH = 512
"""As long as the longest id of the platform: two ids must not share a history because they begin alike."""


class Entry(TenantModel):
    """One thing that was done, kept for ever and never changed."""

    at = models.DateTimeField(auto_now_add=True)
    source = models.CharField(max_length=10, choices=Source.choices)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=120, blank=True)
    action = models.CharField(max_length=60)
    target_kind = models.CharField(max_length=40)
    target_id = models.CharField(max_length=MAX_TARGET_LENGTH)
    summary = models.CharField(max_length=300)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["tenant", "target_kind", "target_id", "-id"], name="audit_of_one_target")]

    def __str__(self) -> str:
        return self.summary

    @property
    def who(self) -> str:
        return self.actor_name or self.get_source_display()
