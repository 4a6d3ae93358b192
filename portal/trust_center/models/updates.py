from typing import Any, Self

from django.db import models
from django.utils import timezone

from portal.lib.platform_choices import readable
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager

MAX_TITLE_LENGTH, MAX_WORD_LENGTH = 300, 80
PUBLIC, PRIVATE = "PUBLIC", "PRIVATE"
CATEGORIES = {
    "GENERAL": "General",
    "COMPLIANCE": "Compliance",
    "SECURITY": "Security",
    "PRIVACY": "Privacy",
    "INCIDENT": "Incident",
    "ROADMAP": "Roadmap",
}
"""The platform's words. An open set: others are shown readable (platform-api 4.5.9)."""


def category_label(category: str) -> str:
    return CATEGORIES.get(category) or readable(category) or "Not named"


class UpdateQuerySet(SearchedQuerySet["Update"]):
    """Chains of updates."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class Update(SearchedModel):
    """Our copy of news that the Trust Center shows."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    title = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)
    description = models.TextField(blank=True)
    category = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    is_public = models.BooleanField(default=False)
    other_readers = models.CharField(max_length=MAX_WORD_LENGTH, blank=True, default="", db_default="")
    """The platform's word for who sees it, where that is one which nobody here knows."""
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(UpdateQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["-created_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_update")]
        indexes = [models.Index(fields=["tenant", "-created_at", "-id"], name="updates_newest_first")]

    def __str__(self) -> str:
        return named(self.title)

    @property
    def category_label(self) -> str:
        return category_label(self.category)

    @property
    def access_label(self) -> str:
        return "Public" if self.is_public else readable(self.other_readers) or "Viewers only"

    @property
    def notified(self) -> list[str]:
        """The addresses that were told of it, as the platform names them."""
        said: Any = self.payload.get("notifiedEmails")
        return [each for each in said if isinstance(each, str)] if isinstance(said, list) else []
