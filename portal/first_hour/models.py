from django.db import models

from portal.tenants.models import TenantModel


class Dismissal(TenantModel):
    """A tenant that no longer wants to see what is left of its set-up. Which steps are done is never stored."""

    dismissed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_dismissal_per_tenant")]

    def __str__(self) -> str:
        return f"dismissed {self.dismissed_at:%Y-%m-%d}"
