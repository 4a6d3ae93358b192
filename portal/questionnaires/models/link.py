import uuid
from typing import Self

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import models
from django.utils import timezone

from portal.questionnaires.models.questionnaire import Questionnaire
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

SIGNER = Signer(salt="portal.questionnaires.status-link")


class StatusLinkQuerySet(TenantQuerySet["StatusLink"]):
    def alive(self) -> Self:
        return self.filter(revoked_at__isnull=True)

    def behind(self, token: str) -> Self:
        """The link that a token was signed for; none when it was not signed here."""
        try:
            return self.filter(public_id=uuid.UUID(SIGNER.unsign(token)))
        except (BadSignature, ValueError):
            return self.none()


class StatusLink(TenantModel):
    """An address where a requester sees how far a questionnaire is, without signing in. It can be revoked."""

    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="status_links")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(StatusLinkQuerySet)()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["questionnaire"], condition=models.Q(revoked_at__isnull=True), name="one_status_link_per_questionnaire"
            )
        ]

    def __str__(self) -> str:
        return f"status link of {self.questionnaire_id}"

    @property
    def token(self) -> str:
        """What stands in the address. It is made of the row and the site's key, so it is stored nowhere."""
        return SIGNER.sign(str(self.public_id))
