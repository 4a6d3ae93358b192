import uuid
from typing import Self

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import models
from django.utils import timezone

from portal.deletion_requests.legal_clock import USUAL_OWN_DAYS, Regulation
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

SIGNER = Signer(salt="portal.deletion_requests.intake-link")
USUAL_RECHECK_DAYS = 7


class DeskSettings(TenantModel):
    """How a tenant works at this desk. Without a row: by the GDPR, and looking again after a week."""

    regulation = models.CharField(max_length=10, choices=Regulation.choices, default=Regulation.GDPR)
    own_days = models.PositiveSmallIntegerField(default=USUAL_OWN_DAYS)
    recheck_days = models.PositiveSmallIntegerField(default=USUAL_RECHECK_DAYS)
    """How many days after an erasure the desk looks whether the person came back."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_deletion_desk_per_tenant")]

    def __str__(self) -> str:
        return self.get_regulation_display()


class IntakeLinkQuerySet(TenantQuerySet["IntakeLink"]):
    def alive(self) -> Self:
        return self.filter(revoked_at=None)

    def behind(self, token: str) -> Self:
        """The link that a token was signed for; none when it was not signed here."""
        try:
            return self.filter(public_id=uuid.UUID(SIGNER.unsign(token)))
        except (BadSignature, ValueError):
            return self.none()


class IntakeLink(TenantModel):
    """A public page where people ask for their own erasure. It can be revoked."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_by_name = models.CharField(max_length=120)
    made_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(IntakeLinkQuerySet)()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant"], condition=models.Q(revoked_at=None), name="one_deletion_intake_link_per_tenant"
            )
        ]

    def __str__(self) -> str:
        return f"intake link made by {self.made_by_name}"

    @property
    def token(self) -> str:
        """What stands in the address. It is made of the row and the site's key, so it is stored nowhere."""
        return SIGNER.sign(str(self.public_id))
