"""What proves a document, and what it proves in turn."""

from typing import Self

from django.db import models
from django.utils import timezone

from portal.documents.models.documents import MAX_NAME_LENGTH, MAX_URL_LENGTH, MAX_WORD_LENGTH, SOMEBODY, Document
from portal.lib.unnamed import named
from portal.lib.web_addresses import web_address
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

APPLICATION = "APPLICATION"


class DocumentFileQuerySet(TenantQuerySet["Upload"]):
    """Chains of files."""

    def present(self) -> Self:
        return self.filter(deleted_at__isnull=True)


class Upload(TenantModel):
    """Our copy of what the platform says of one file of a document; the file itself stays there."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="uploads")
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    file_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    title = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    mime_type = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    effective_at = models.DateTimeField(null=True)
    uploaded_at = models.DateTimeField(null=True)
    uploader_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    uploader_type = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """USER or APPLICATION; free text."""
    uploader_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    deleted_at = models.DateTimeField(null=True)
    """The platform goes on listing a deleted file (specification 2.3)."""
    read_at = models.DateTimeField(default=timezone.now)
    """When the platform was asked for what stands here: an older list changes nothing of it (guarantee Q11)."""

    objects = TenantManager.from_queryset(DocumentFileQuerySet)()

    class Meta:
        ordering = ["-uploaded_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["document", "platform_id"], name="one_copy_per_document_file")]
        indexes = [models.Index(fields=["tenant", "uploader_id"], name="document_files_of_uploader")]

    def __str__(self) -> str:
        return named(self.file_name or self.title)

    @property
    def uploader(self) -> str:
        """Who uploaded it. The platform does not say it of files that come through its API (platform-api 4.11)."""
        if self.uploader_type == APPLICATION:
            return "An application"
        return self.uploader_name or (SOMEBODY if self.uploader_id else "Through the API")


class Link(TenantModel):
    """Our copy of an address that serves as evidence."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="links")
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    url = models.CharField(max_length=MAX_URL_LENGTH, blank=True)
    title = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    effective_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(default=timezone.now)
    """As with files."""

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["document", "platform_id"], name="one_copy_per_document_link")]

    def __str__(self) -> str:
        return named(self.title)

    @property
    def web_address(self) -> str:
        return web_address(self.url)


class ProvenControl(TenantModel):
    """One control that a document proves, as the document names it."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="controls")
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    external_id = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    read_at = models.DateTimeField(default=timezone.now)
    """As with files."""

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["document", "platform_id"], name="one_document_per_proven_control")]

    def __str__(self) -> str:
        return named(self.name)
