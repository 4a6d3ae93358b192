from datetime import UTC, datetime, timedelta
from typing import Self

from django.db import models

from portal.lib.platform_choices import Pill, pill_of
from portal.lib.platform_days import is_past
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.vendors.models.choices import ARCHIVED, DECISIONS, RISKS, STATUSES

MAX_NAME_LENGTH, MAX_WORD_LENGTH = 300, 40
NO_DATE = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every date: a keyset page needs a column that is never NULL."""
REVIEW_SOON = timedelta(days=30)
"""So long before its day a review is shown as due soon, and is work."""


class VendorQuerySet(SearchedQuerySet["Vendor"]):
    """Chains of vendors."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def to_review(self) -> Self:
        """Those that are reviewed on some day. Nobody reviews what was archived."""
        return self.present().filter(review_due_at__isnull=False).exclude(status=ARCHIVED)


class Vendor(SearchedModel):
    """Our copy of one of the platform's vendors."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    status = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """Free text, like the other words of the platform here: it adds values without notice."""
    category = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    inherent_risk = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    residual_risk = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    risk_sort = models.PositiveSmallIntegerField(default=0)
    review_due_at = models.DateTimeField(null=True)
    review_due_sort = models.DateTimeField(default=NO_DATE)
    security_owner_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    business_owner_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    decision_status = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    decided_at = models.DateTimeField(null=True)
    is_provisional = models.BooleanField(default=False)
    """An event has told the decision, and the vendor was not fetched since."""
    parts_read_at = models.DateTimeField(null=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(VendorQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_vendor")]
        indexes = [
            # The list in each of its orders, and its tabs.
            models.Index(fields=["tenant", "name_sort", "id"], name="vendors_listed"),
            models.Index(fields=["tenant", "status", "name_sort", "id"], name="vendors_of_status"),
            models.Index(fields=["tenant", "risk_sort", "name_sort", "id"], name="vendors_by_risk"),
            models.Index(fields=["tenant", "review_due_sort", "id"], name="vendors_by_review"),
        ]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def status_pill(self) -> Pill:
        return pill_of(self.status, STATUSES)

    @property
    def inherent_risk_pill(self) -> Pill:
        return pill_of(self.inherent_risk, RISKS, without="Not scored")

    @property
    def residual_risk_pill(self) -> Pill:
        return pill_of(self.residual_risk, RISKS, without="Not scored")

    @property
    def decision_pill(self) -> Pill:
        return pill_of(self.decision_status, DECISIONS, without="No decision")

    def review_label(self, now: datetime) -> Pill:
        """Say how it stands with the next security review, and the tone of that."""
        if self.review_due_at is None:
            return "Not planned", "muted"
        if self.status == ARCHIVED:
            return "Not needed", "muted"
        if is_past(self.review_due_at, now):
            return "Overdue", "bad"
        return ("Due soon", "warn") if self.review_due_at <= now + REVIEW_SOON else ("Planned", "good")
