from django.db import models

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel

ACCOUNT, TAG = "account", "tag"


class Label(TenantModel):
    """The name of an account or a tag, of which a questionnaire tells the id alone."""

    kind = models.CharField(max_length=8)
    category_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=300)
    read_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "kind", "category_id", "platform_id"], name="one_name_per_account_or_tag")
        ]
        indexes = [models.Index(fields=["tenant", "kind", "name", "id"], name="labels_by_name")]

    def __str__(self) -> str:
        return self.name
