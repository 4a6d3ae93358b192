from datetime import date, datetime, timedelta
from typing import Self

from django.db import models
from django.db.models import Q

from portal.documents.models.choices import STATUSES, TO_DO, cadence_label
from portal.lib.unnamed import named
from portal.lib.web_addresses import web_address
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager

FAR = date(9999, 12, 31)
"""Stands for a day that never comes where rows are ordered by their days."""
MAX_NAME_LENGTH, MAX_WORD_LENGTH, MAX_URL_LENGTH = 300, 120, 2000
DETAILS_HOLD = timedelta(days=1)
"""No event tells of documents: a renewal day that moved alone is seen a day later, at one call per document and day."""
SOMEBODY = "A platform user"
"""An owner whose name is not known here: not fetched yet, gone, or erased."""


class DocumentQuerySet(SearchedQuerySet["Document"]):
    """Chains of documents."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def lacking(self) -> Self:
        """Those whose evidence is missing or outdated, as the platform sees it."""
        return self.present().filter(status__in=TO_DO)

    def to_renew(self, today: date) -> Self:
        """Those whose day has passed or is so near that the platform reminds of it."""
        return self.present().filter(remind_on__lte=today)

    def with_old_details(self, now: datetime) -> Self:
        """Those of which the platform is to be asked for what its list leaves out."""
        is_old = Q(are_details_old=True) | Q(details_read_at=None) | Q(details_read_at__lt=now - DETAILS_HOLD)
        return self.present().filter(is_old)

    def dated(self) -> Self:
        """Those that have to be renewed on some day."""
        return self.present().exclude(renew_on=FAR)


class Document(SearchedModel):
    """Our copy of a document that the compliance programme asks for."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    title = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    title_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    category = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    status = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """Of its evidence. Free text: the platform adds values without notice."""
    status_changed_at = models.DateTimeField(null=True)
    owner_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    owner_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    is_sensitive = models.BooleanField(default=False)
    is_deactivated = models.BooleanField(default=False)
    renew_on = models.DateField(default=FAR)
    """FAR as well where it is deactivated or not relevant: nobody has to renew it then."""
    remind_on = models.DateField(default=FAR)
    cadence = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    url = models.CharField(max_length=MAX_URL_LENGTH, blank=True)
    payload = models.JSONField(default=dict)
    are_details_old = models.BooleanField(default=True)
    """The list shows another document than before: what it leaves out may be another as well."""
    details_read_at = models.DateTimeField(null=True)
    """When the platform was last asked for what its list leaves out; empty before the first time."""
    evidence_read_at = models.DateTimeField(null=True)
    """The same for files, links and controls."""
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(DocumentQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["title_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_document")]
        indexes = [
            # The list, each of its filters in the order in which it is shown.
            models.Index(fields=["tenant", "title_sort", "id"], name="documents_listed"),
            models.Index(fields=["tenant", "status", "title_sort", "id"], name="documents_of_status"),
            models.Index(fields=["tenant", "owner_id", "title_sort", "id"], name="documents_of_owner"),
            models.Index(fields=["tenant", "category", "title_sort", "id"], name="documents_of_category"),
            models.Index(fields=["tenant", "renew_on", "id"], name="documents_by_renewal"),
            models.Index(fields=["tenant", "remind_on"], name="documents_to_renew"),
            models.Index(fields=["tenant", "details_read_at"], name="documents_by_details"),
        ]

    def __str__(self) -> str:
        return named(self.title)

    @property
    def status_tone(self) -> str:
        return STATUSES.get(self.status, "muted")

    @property
    def owner(self) -> str:
        """Who has it; empty where nobody does."""
        return self.owner_name or (SOMEBODY if self.owner_id else "")

    @property
    def cadence_label(self) -> str:
        return cadence_label(self.cadence)

    @property
    def has_renewal(self) -> bool:
        return self.renew_on != FAR

    @property
    def web_address(self) -> str:
        """Its page on the platform, where that is one of the web."""
        return web_address(self.url)

    @property
    def note(self) -> str:
        return str(self.payload.get("note") or "")

    @property
    def deactivation_reason(self) -> str:
        said = self.payload.get("deactivatedStatus")
        return str(said.get("reason") or "") if isinstance(said, dict) else ""

    def renewal_label(self, today: date) -> tuple[str, str]:
        """Say how it stands with the renewal, and the tone of that."""
        if self.details_read_at is None:
            return "Not checked yet", "muted"
        if not self.has_renewal:
            return "No renewal", "muted"
        if self.renew_on < today:
            return "Renewal overdue", "bad"
        return ("Renew soon", "warn") if self.remind_on <= today else ("Valid", "good")
