from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel


class ListKind(models.TextChoices):
    """Why a tenant keeps a domain in mind."""

    BLOCKED = "blocked", "Blocked"
    FREE_MAIL = "free_mail", "Free mail"


class ListedDomain(TenantModel):
    """A mail domain that a tenant has marked. An address is never kept, only what stands behind its @."""

    kind = models.CharField(max_length=10, choices=ListKind.choices, default=ListKind.BLOCKED)
    domain = models.CharField(max_length=320)
    why = models.CharField(max_length=200, blank=True)
    listed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    listed_by_name = models.CharField(max_length=120)
    listed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["kind", "domain"]
        constraints = [models.UniqueConstraint(fields=["tenant", "domain", "kind"], name="one_mark_per_domain_and_kind")]

    def __str__(self) -> str:
        return self.domain


class SensitiveDocument(TenantModel):
    """A document of the Trust Center that a tenant lets nobody have without looking twice."""

    resource_id = models.CharField(max_length=MAX_ID_LENGTH)
    marked_by_name = models.CharField(max_length=120)
    marked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "resource_id"], name="one_mark_per_sensitive_document")]

    def __str__(self) -> str:
        return self.resource_id
