from uuid import uuid4

from django.db import models
from django.utils import timezone

from portal.questionnaires.models.experts import ExpertLink
from portal.tenants.models import TenantModel


def stored_name(file: "ExpertFile", filename: str) -> str:
    """Name the stored file by chance: nothing that somebody outside has chosen becomes part of a path."""
    return f"expert-files/{file.tenant_id}/{uuid4().hex}"


class ExpertFile(TenantModel):
    """A file that an expert sent with an answer. Handed out as a download only; it goes with the link it came by."""

    link = models.ForeignKey(ExpertLink, on_delete=models.CASCADE, related_name="files")
    file = models.FileField(upload_to=stored_name, max_length=200)
    """Never served: the storage has no address."""
    filename = models.CharField(max_length=255)
    size = models.PositiveIntegerField()
    sent_at = models.DateTimeField(default=timezone.now)

    class Meta(TenantModel.Meta):
        ordering = ["id"]

    def __str__(self) -> str:
        return self.filename
