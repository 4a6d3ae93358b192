from zoneinfo import ZoneInfo

from django.db import models

from portal.calendars.office_time import USUAL_WEEK, OfficeTime
from portal.tenants.models import TenantModel
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

    def office_time(self, holidays: "models.QuerySet[Holiday]") -> OfficeTime:
        week = [(opening[0], opening[1]) if opening else None for opening in self.week]
        return OfficeTime(ZoneInfo(self.zone), week, frozenset(holidays.values_list("day", flat=True)))


class Holiday(TenantModel):
    """A day on which a tenant does not work."""

    day = models.DateField()
    name = models.CharField(max_length=200)

    class Meta:
        ordering = ["day"]
        constraints = [models.UniqueConstraint(fields=["tenant", "day"], name="one_holiday_per_day")]

    def __str__(self) -> str:
        return self.name
