import uuid
from collections.abc import Iterable
from datetime import date
from typing import ClassVar, Self
from zoneinfo import ZoneInfo

from django.core.signing import BadSignature, Signer
from django.db import models
from django.utils import timezone

from portal.calendars.office_time import USUAL_WEEK, OfficeTime
from portal.tenants.managers import TenantManager
from portal.tenants.models import Membership, TenantModel, TenantQuerySet
from portal.users.models import validate_timezone

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def usual_week() -> list[list[int] | None]:
    return [list(opening) if opening else None for opening in USUAL_WEEK]


class OfficeHours(TenantModel):
    """When a tenant works. Without a row it is Monday to Friday from nine to five, in UTC."""

    zone = models.CharField(max_length=64, default="UTC", validators=[validate_timezone])
    week = models.JSONField(default=usual_week)
    """For each weekday from Monday on the minutes from which and until which it is open, or nothing."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_week_per_tenant")]

    def __str__(self) -> str:
        return f"office hours in {self.zone}"

    def office_time(self, holidays: Iterable[date]) -> OfficeTime:
        week = [(opening[0], opening[1]) if opening else None for opening in self.week]
        return OfficeTime(ZoneInfo(self.zone), week, frozenset(holidays))


class Holiday(TenantModel):
    """A day on which a tenant does not work."""

    day = models.DateField()
    name = models.CharField(max_length=200)

    class Meta:
        ordering = ["day"]
        constraints = [models.UniqueConstraint(fields=["tenant", "day"], name="one_holiday_per_day")]

    def __str__(self) -> str:
        return self.name


class FeedQuerySet(TenantQuerySet["Feed"]):
    def behind(self, token: str) -> Self:
        """The feed that a token was signed for; none when it was not signed here."""
        try:
            return self.filter(public_id=uuid.UUID(self.model.signer().unsign(token)))
        except (BadSignature, ValueError):
            return self.none()


class Feed(TenantModel):
    """An address that a member's calendar reads the dates of a desk from. It ends with the membership."""

    # Memberships are ended outside of any scope too: the feed goes by a signal, and without its member it opens nothing anyway.
    membership = models.OneToOneField(Membership, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False)
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    made_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager.from_queryset(FeedQuerySet)()

    salt: ClassVar[str]
    """Of the token: one of another desk opens nothing here."""
    action: ClassVar[str]
    """The kind in the history."""

    class Meta(TenantModel.Meta):
        abstract = True

    def __str__(self) -> str:
        return f"calendar feed of member {self.membership_id}"

    @classmethod
    def signer(cls) -> Signer:
        return Signer(salt=cls.salt)

    @property
    def token(self) -> str:
        """What stands in the address. It is made of the row and the site's key, so it is stored nowhere."""
        return self.signer().sign(str(self.public_id))
