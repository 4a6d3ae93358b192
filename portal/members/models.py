from django.conf import settings
from django.db import models

from portal.tenants.models import Role, TenantModel


class Invitation(TenantModel):
    """A mail address that joins a tenant as soon as somebody who has verified it signs in."""

    email = models.EmailField()
    role = models.PositiveSmallIntegerField(choices=Role.choices)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["email"]
        constraints = [models.UniqueConstraint(fields=["tenant", "email"], name="one_invitation_per_address")]

    def __str__(self) -> str:
        return self.email
