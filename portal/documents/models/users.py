from django.db import models
from django.utils import timezone

from portal.documents.models.documents import MAX_NAME_LENGTH
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel

MAX_EMAIL_LENGTH = 320


class AccountUser(TenantModel):
    """What a user of the account is called: documents and files name them by their ids alone.

    One who is gone on the platform, or was erased, stays as a row without a name: so nobody asks for it again and again.
    """

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    folded_email = models.CharField(max_length=MAX_EMAIL_LENGTH, blank=True)
    """By which an erasure finds it; pages show names."""
    read_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_document_user")]
        indexes = [models.Index(fields=["tenant", "folded_email"], name="document_users_of_address")]

    def __str__(self) -> str:
        return named(self.name)
