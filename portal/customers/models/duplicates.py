from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.models import TenantModel


class NotDuplicates(TenantModel):
    """Two accounts of which somebody has said that they are two customers, so that nobody is asked again."""

    one_id = models.CharField(max_length=MAX_ID_LENGTH)
    other_id = models.CharField(max_length=MAX_ID_LENGTH)
    """The platform's ids, in their order: a pair has no first and no second."""
    said_by_name = models.CharField(max_length=120)
    said_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-said_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "one_id", "other_id"], name="one_word_per_pair_of_accounts"),
            models.CheckConstraint(condition=Q(one_id__lt=F("other_id")), name="a_pair_in_its_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} is not {self.other_id}"


def pair_of(one_id: str, other_id: str) -> tuple[str, str]:
    """Put two ids in the order in which a pair is kept."""
    return min(one_id, other_id), max(one_id, other_id)
