from django.conf import settings
from django.db import models

from portal.tenants.models import TenantModel


class Recent(TenantModel):
    """What one person has opened last in one tenant."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    objects_opened = models.JSONField(default=list)
    """Pairs of kind and id, the last one first. No titles: those are asked for when they are shown, and may be gone by then."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_row_of_recent_objects_per_member")]

    def __str__(self) -> str:
        return f"{len(self.objects_opened)} objects"
