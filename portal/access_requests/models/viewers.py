from datetime import UTC, datetime, timedelta

from django.db import models
from django.utils import timezone

from portal.access_requests.models.words import PersonQuerySet, level_label
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every date: a keyset page needs a column that is never NULL."""
SOON = timedelta(days=30)


class ViewerQuerySet(PersonQuerySet["Viewer"]):
    """Chains of viewers. Expiry is computed: the platform does not mark an expired viewer (platform-api 4.5.3)."""

    def active(self, now: datetime) -> "ViewerQuerySet":
        return self.filter(expires_sort__gt=now)

    def expiring(self, now: datetime) -> "ViewerQuerySet":
        return self.filter(expires_sort__gt=now, expires_sort__lte=now + SOON)

    def expired(self, now: datetime) -> "ViewerQuerySet":
        return self.filter(expires_sort__lte=now)


class Viewer(TenantModel):
    """Our copy of a person with access to the Trust Center."""

    platform_id = models.CharField(max_length=200)
    email = models.CharField(max_length=320)
    folded_email = models.CharField(max_length=320)
    name = models.CharField(max_length=300, blank=True)
    company = models.CharField(max_length=300, blank=True)
    domain = models.CharField(max_length=320, blank=True)
    search = models.TextField(blank=True)
    access_level = models.CharField(max_length=40)
    resource_ids = models.JSONField(null=True)
    """Null: all resources (platform-api 4.5.3)."""
    nda_provider = models.CharField(max_length=40, blank=True)
    nda_satisfied_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    expires_sort = models.DateTimeField(default=NEVER)
    account_id = models.CharField(max_length=200, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ViewerQuerySet)()

    class Meta:
        ordering = ["expires_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_viewer")]
        indexes = [
            models.Index(fields=["tenant", "expires_sort", "id"], name="viewers_by_expiry"),
            models.Index(fields=["tenant", "domain"], name="viewers_of_domain"),
            models.Index(fields=["tenant", "folded_email"], name="viewers_of_person"),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def level_label(self) -> str:
        return level_label(self.access_level)

    @property
    def is_expired(self) -> bool:
        return self.expires_sort <= timezone.now()

    @property
    def nda(self) -> tuple[str, str]:
        """Words and tone of the agreement on record (platform-api 4.5.3)."""
        if not self.nda_provider:
            return "No NDA on record", "muted"
        if self.nda_satisfied_at is None:
            return "NDA pending", "warn"
        return ("NDA settled elsewhere", "good") if self.nda_provider.endswith("_BYPASS") else ("NDA signed", "good")


class ResourceQuerySet(TenantQuerySet["Resource"]):
    """Chains of documents."""

    def present(self) -> "ResourceQuerySet":
        return self.filter(gone_at__isnull=True)


class Resource(TenantModel):
    """Our copy of a document of the Trust Center: requests and viewers name them by id."""

    platform_id = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    is_public = models.BooleanField(default=False)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ResourceQuerySet)()

    class Meta:
        ordering = ["title", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_resource")]

    def __str__(self) -> str:
        return self.title
