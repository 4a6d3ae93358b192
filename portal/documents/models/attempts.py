from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.documents.models.documents import MAX_NAME_LENGTH, Document
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

LEASE = timedelta(minutes=5)
"""How long sending a file may take; an attempt that is older lost its process on the way, and the call may have left."""
VERIFY_AGAIN_AFTER = timedelta(seconds=60)
ABSENT_AFTER = timedelta(minutes=2)
"""A whole list that does not name the file so long after it was sent says that it did not arrive: what was sent may still be
on its way for a moment."""


class UploadState(models.TextChoices):
    """sending -> (the row goes: the file arrived, or was refused)

    sending -> uncertain: the answer was lost; the document's list of files tells (guarantee W1).
    uncertain -> (the row goes) or absent: the list does not name it. A person uploads it again, or dismisses that.
    """

    SENDING = "sending", "Being sent"
    UNCERTAIN = "uncertain", "Being checked"
    ABSENT = "absent", "Did not arrive"


OPEN = (UploadState.SENDING.value, UploadState.UNCERTAIN.value)


class UploadAttemptQuerySet(TenantQuerySet["UploadAttempt"]):
    """Chains of attempts."""

    def open(self) -> Self:
        return self.filter(state__in=OPEN)

    def in_doubt(self, now: datetime) -> Self:
        """Those that only the platform's list can settle."""
        return self.filter(Q(state=UploadState.UNCERTAIN) | Q(state=UploadState.SENDING, begun_at__lte=now - LEASE))


class UploadAttempt(TenantModel):
    """One file on its way to a document. The platform takes the same file twice, so nobody sends it twice unasked."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="attempts")
    file_name = models.CharField(max_length=MAX_NAME_LENGTH)
    known_ids = models.JSONField(default=list)
    """The files that the document had before: this one is among the others."""
    state = models.CharField(max_length=10, choices=UploadState.choices, default=UploadState.SENDING)
    begun_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    begun_at = models.DateTimeField(default=timezone.now)
    look_at = models.DateTimeField(default=timezone.now)
    """When the list is to be read next, while it is in doubt."""

    objects = TenantManager.from_queryset(UploadAttemptQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["document"], condition=Q(state__in=OPEN), name="one_open_upload_per_document")
        ]
        indexes = [models.Index(fields=["look_at"], condition=Q(state__in=OPEN), name="document_uploads_to_settle")]

    def __str__(self) -> str:
        return self.file_name

    @property
    def is_absent(self) -> bool:
        return self.state == UploadState.ABSENT
