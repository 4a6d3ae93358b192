from datetime import date
from pathlib import PurePosixPath
from typing import Self

from django.db import models

from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.trust_center.models.renewals import FAR, RENEW_SOON

MAX_TITLE_LENGTH, MAX_TYPE_LENGTH = 300, 120
FILE_TYPES = {
    "application/pdf": "PDF",
    "application/msword": "Word",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
    "application/vnd.ms-excel": "Excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint",
    "text/csv": "CSV",
    "text/plain": "Text",
    "text/markdown": "Markdown",
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "application/zip": "ZIP",
}


class ResourceQuerySet(SearchedQuerySet["Resource"]):
    """Chains of documents."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def to_renew(self, today: date) -> Self:
        """Those whose day has passed or is near."""
        return self.present().filter(renew_on__lte=today + RENEW_SOON)

    def dated(self) -> Self:
        """Those that have to be renewed on some day."""
        return self.present().exclude(renew_on=FAR)


class Resource(SearchedModel):
    """Our copy of a document of the Trust Center. Access requests and viewers name documents by their ids."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    title = models.CharField(max_length=MAX_TITLE_LENGTH)
    title_sort = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)
    description = models.TextField(blank=True)
    file_name = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)
    file_type = models.CharField(max_length=MAX_TYPE_LENGTH, blank=True)
    """What people call its type, else the type as the platform says it."""
    is_public = models.BooleanField(default=False)
    created_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(null=True)
    renew_on = models.DateField(default=FAR)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ResourceQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["title_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_resource")]
        indexes = [
            models.Index(fields=["tenant", "title_sort", "id"], name="resources_listed"),
            models.Index(fields=["tenant", "renew_on", "id"], name="resources_by_renewal"),
        ]

    def __str__(self) -> str:
        return named(self.title)

    @property
    def has_renewal(self) -> bool:
        return self.renew_on != FAR

    @property
    def access_label(self) -> str:
        return "Public" if self.is_public else "On request"

    def renewal_label(self, today: date) -> tuple[str, str]:
        """Say how it stands with the renewal, and the tone of that."""
        if not self.has_renewal:
            return "No renewal", "muted"
        if self.renew_on < today:
            return "Renewal overdue", "bad"
        return ("Renew soon", "warn") if self.renew_on <= today + RENEW_SOON else ("Valid", "good")


def file_type_of(mime_type: str, file_name: str) -> str:
    """Name a type of files as people do."""
    suffix = PurePosixPath(file_name).suffix.removeprefix(".").upper()
    return FILE_TYPES.get(mime_type.partition(";")[0].strip().lower()) or (suffix if len(suffix) <= 5 else "") or mime_type
