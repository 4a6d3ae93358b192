from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.tenants.models import Role, TenantModel


class Invitation(TenantModel):
    """An email address that somebody was asked to join a tenant by; deleted when it is accepted or withdrawn."""

    email = models.EmailField()
    role = models.PositiveSmallIntegerField(choices=Role.choices)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    token_digest = models.CharField(max_length=64, unique=True)
    """Of the token in the link that was sent last."""
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["email"]
        constraints = [models.UniqueConstraint(fields=["tenant", "email"], name="one_invitation_per_address")]

    def __str__(self) -> str:
        return self.email

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()


class FormerMember(TenantModel):
    """Somebody who has left or was removed: only an invitation brings them back, not their company's sign-in."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    removed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_removal_per_person")]

    def __str__(self) -> str:
        return f"{self.user}, removed"
