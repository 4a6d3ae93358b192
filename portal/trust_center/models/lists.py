from typing import Self

from django.db import models

from portal.lib.unnamed import named
from portal.lib.web_addresses import web_address
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

MAX_NAME_LENGTH, MAX_URL_LENGTH, MAX_STANDARD_LENGTH = 300, 2000, 80


class SubprocessorQuerySet(SearchedQuerySet["Subprocessor"]):
    """Chains of subprocessors."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class Subprocessor(SearchedModel):
    """Our copy of a company that processes data for the tenant."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    purpose = models.TextField(blank=True)
    location = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    url = models.CharField(max_length=MAX_URL_LENGTH, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(SubprocessorQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_subprocessor")]
        indexes = [models.Index(fields=["tenant", "name_sort", "id"], name="subprocessors_listed")]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def web_address(self) -> str:
        return web_address(self.url)


class CenterSettingsQuerySet(TenantQuerySet["CenterSettings"]):
    """Chains of settings."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class CenterSettings(TenantModel):
    """Our copy of what is set for the Trust Center as a whole: one row, by an id that is not the slugId."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    is_public = models.BooleanField(null=True)
    """Empty where the platform does not say."""
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(CenterSettingsQuerySet)()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_trust_center")]

    def __str__(self) -> str:
        return self.platform_id


class FrameworkQuerySet(SearchedQuerySet["Framework"]):
    """Chains of compliance frameworks."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class Framework(SearchedModel):
    """Our copy of a compliance framework that the Trust Center shows; without a standard it is the tenant's own."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    standard = models.CharField(max_length=MAX_STANDARD_LENGTH, blank=True)
    description = models.TextField(blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(FrameworkQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_framework")]
        indexes = [models.Index(fields=["tenant", "name_sort", "id"], name="frameworks_listed")]

    def __str__(self) -> str:
        return named(self.name)
