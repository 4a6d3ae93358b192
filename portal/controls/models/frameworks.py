from datetime import datetime
from typing import Self

from django.db import models

from portal.controls.models.choices import MAX_NAME_LENGTH
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel


class CompanyFrameworkQuerySet(SearchedQuerySet["Framework"]):
    """Chains of frameworks."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class Framework(SearchedModel):
    """Our copy of a framework that the tenant works by, with the numbers of the platform."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    shorthand = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    controls_completed = models.PositiveIntegerField(default=0)
    controls_total = models.PositiveIntegerField(default=0)
    documents_passing = models.PositiveIntegerField(default=0)
    documents_total = models.PositiveIntegerField(default=0)
    tests_passing = models.PositiveIntegerField(default=0)
    tests_total = models.PositiveIntegerField(default=0)
    requirements_read_at = models.DateTimeField(null=True)
    requirements_read_for = models.PositiveIntegerField(default=0)
    """How many controls it had then: with another number the requirements are read again."""
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(CompanyFrameworkQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_own_framework")]
        indexes = [models.Index(fields=["tenant", "name_sort", "id"], name="own_frameworks_listed")]

    def __str__(self) -> str:
        return named(self.name, self.shorthand)

    def requirements_are_old(self, since: datetime) -> bool:
        """Say whether the requirements were not asked for since a moment."""
        return self.requirements_read_at is None or self.requirements_read_at < since


class Requirement(TenantModel):
    """One requirement of a framework, in the framework's own order."""

    framework = models.ForeignKey(Framework, on_delete=models.CASCADE, related_name="requirements")
    position = models.PositiveIntegerField()
    code = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    """By which people name it, such as CC6.1."""
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    category = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["framework", "position"], name="one_requirement_per_position")]

    def __str__(self) -> str:
        return self.code or named(self.name)


class ControlOfRequirement(TenantModel):
    """One control that serves a requirement. The control is named by its id."""

    requirement = models.ForeignKey(Requirement, on_delete=models.CASCADE, related_name="controls")
    control_id = models.CharField(max_length=MAX_ID_LENGTH)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["requirement", "control_id"], name="serves_a_requirement_once")]
        indexes = [models.Index(fields=["tenant", "control_id"], name="requirements_of_control")]

    def __str__(self) -> str:
        return self.control_id
