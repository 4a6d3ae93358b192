from datetime import UTC, datetime
from typing import Self

from django.db import models

from portal.lib.platform_choices import Pill
from portal.lib.platform_days import is_ahead, is_past
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager

MAX_NAME_LENGTH, MAX_WORD_LENGTH = 300, 60
NO_DATE = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every date: a keyset page needs a column that is never NULL."""


class EngagementQuerySet(SearchedQuerySet["Engagement"]):
    """Chains of audits."""

    def present(self) -> Self:
        """Return those that the platform has. One that was deleted there may still be listed, with its deletion date."""
        return self.filter(gone_at__isnull=True, deleted_at__isnull=True)

    def open(self) -> Self:
        """Return those whose report was not uploaded yet."""
        return self.present().filter(completed_at__isnull=True)


class Engagement(SearchedModel):
    """Our copy of one of the firm's audits."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    customer = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    customer_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    framework = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    starts_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    ends_sort = models.DateTimeField(default=NO_DATE)
    early_access_at = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)
    deleted_at = models.DateTimeField(null=True)
    parts_read_at = models.DateTimeField(null=True)
    """When its requests, evidence and controls were asked for; before that nothing is said of their number."""
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(EngagementQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["ends_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_engagement")]
        indexes = [
            models.Index(fields=["tenant", "ends_sort", "id"], name="engagements_by_end"),
            models.Index(fields=["tenant", "customer_sort", "id"], name="engagements_by_customer"),
        ]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def engagement(self) -> "Engagement":
        """The audit itself: what belongs to it is kept as what belongs to its objects."""
        return self

    @property
    def is_present(self) -> bool:
        return self.gone_at is None and self.deleted_at is None

    def state(self, now: datetime) -> Pill:
        """Say where the audit is in its window."""
        if self.completed_at:
            return "Completed", "good"
        if self.starts_at and is_ahead(self.starts_at, now):
            has_access = self.early_access_at and not is_ahead(self.early_access_at, now)
            return ("Early access", "info") if has_access else ("Not started", "muted")
        if self.ends_at and is_past(self.ends_at, now):
            return "Past its window", "warn"
        return "In progress", "info"
