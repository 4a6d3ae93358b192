from typing import Self

from django.db import models

from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class Nda(models.TextChoices):
    """The platform's words for an account's agreement. An open set: others are shown as they came (platform-api 4.1.7)."""

    SIGNED = "SIGNED", "NDA signed"
    NOT_REQUIRED = "NOT_REQUIRED", "NDA not required"
    INCOMPLETE = "INCOMPLETE", "NDA incomplete"


TONES = {Nda.SIGNED.value: "good", Nda.NOT_REQUIRED.value: "good", Nda.INCOMPLETE.value: "warn"}


class AccountQuerySet(TenantQuerySet["Account"]):
    """Chains of accounts."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def of_domains(self, domains: set[str]) -> Self:
        """Those that say which mail domain is theirs, and name one of these."""
        return self.filter(domain__in=domains - {""})


class Account(TenantModel):
    """Our copy of a customer-trust account. The platform is right when the two differ."""

    platform_id = models.CharField(max_length=200)
    name = models.CharField(max_length=300, blank=True)
    domain = models.CharField(max_length=320, blank=True)
    """The mail domain, folded. Two accounts may have the same one (platform-api 4.1.7)."""
    nda_status = models.CharField(max_length=40, blank=True)
    nda_satisfied_at = models.DateTimeField(null=True)
    access_config = models.JSONField(default=dict)
    """Whether the platform approves requests of this domain by itself, and what it then grants. Empty when it does not say."""
    tags = models.JSONField(default=list)
    custom_fields = models.JSONField(default=list)
    created_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(null=True)
    search = models.TextField(blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(AccountQuerySet)()

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_account")]
        indexes = [
            models.Index(fields=["tenant", "domain"], name="accounts_of_domain"),
            models.Index(fields=["tenant", "name", "id"], name="accounts_by_name"),
        ]

    def __str__(self) -> str:
        return self.name or self.platform_id

    @property
    def nda(self) -> tuple[str, str]:
        """Words and tone of the agreement with this customer."""
        label = dict(Nda.choices).get(self.nda_status, self.nda_status)
        return label or "NDA not told", TONES.get(self.nda_status, "muted")
