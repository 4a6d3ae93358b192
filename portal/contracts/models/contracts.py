from datetime import date
from typing import Self

from django.conf import settings
from django.db import models

from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager

NO_DATE = date(1, 1, 1)
"""Sorts below every date, so behind them all when the latest comes first: a keyset page needs a column that is never NULL."""


FAR = date(9999, 12, 31)
"""Sorts behind every date when the next one comes first: no end, or no day for notice, is known."""


class ContractQuerySet(SearchedQuerySet["Contract"]):
    """Chains of contracts."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def of_external_id(self, external_id: str) -> Self:
        return self.filter(external_id=external_id) if external_id else self.none()


class Contract(SearchedModel):
    """Our copy of a contract on the platform. Nothing changes a contract there; it comes and it goes."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=500, blank=True)
    external_id = models.CharField(max_length=300, blank=True)
    account_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """The customer: as people have set it here (`Terms.account_id`), else as the platform says."""
    executed_on = models.DateField(null=True)
    """The day as the platform holds it: midnight UTC of the day that somebody entered."""
    executed_sort = models.DateField(default=NO_DATE)
    created_at = models.DateTimeField()
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True)
    """When the text of its document was read into pages; None: nobody handed a document in here that could be read."""
    # From its own fields, recalculated by a sweep as time passes: lists filter and sort by them.
    ends_sort = models.DateField(default=FAR)
    """When it ends, or renews itself next."""
    notice_sort = models.DateField(default=FAR)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = TenantManager.from_queryset(ContractQuerySet)()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_contract")]
        indexes = [
            models.Index(fields=["tenant", "-created_at", "-id"], name="contracts_newest"),
            models.Index(fields=["tenant", "-executed_sort", "-id"], name="contracts_last_executed"),
            models.Index(fields=["tenant", "external_id"], name="contracts_by_external_id"),
            models.Index(fields=["tenant", "account_id"], name="contracts_of_account"),
            models.Index(fields=["tenant", "ends_sort", "id"], name="contracts_by_end"),
            models.Index(fields=["tenant", "notice_sort", "id"], name="contracts_by_notice"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        return named(self.name, self.external_id)

    @property
    def platform_account_id(self) -> str:
        """The customer as the platform says."""
        return str(self.payload.get("customerTrustAccountId") or "")[:200]
