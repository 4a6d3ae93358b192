import uuid
from typing import Self

from django.core.signing import BadSignature, Signer
from django.db import models
from django.utils import timezone

from portal.tenants.managers import TenantManager
from portal.tenants.models import Membership, TenantModel, TenantQuerySet

SIGNER = Signer(salt="portal.questionnaires.calendar-feed")


class CalendarFeedQuerySet(TenantQuerySet["CalendarFeed"]):
    def behind(self, token: str) -> Self:
        """The feed that a token was signed for; none when it was not signed here."""
        try:
            return self.filter(public_id=uuid.UUID(SIGNER.unsign(token)))
        except (BadSignature, ValueError):
            return self.none()


class CalendarFeed(TenantModel):
    """An address that a member's calendar reads the dates of this tenant from. It ends with the membership."""

    # Memberships are ended outside of any scope too: the feed goes by a signal, and without its member it opens nothing anyway.
    membership = models.OneToOneField(Membership, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False)
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    made_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager.from_queryset(CalendarFeedQuerySet)()

    def __str__(self) -> str:
        return f"calendar feed of member {self.membership_id}"

    @property
    def token(self) -> str:
        """What stands in the address. It is made of the row and the site's key, so it is stored nowhere."""
        return SIGNER.sign(str(self.public_id))
