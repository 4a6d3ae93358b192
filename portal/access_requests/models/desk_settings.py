from datetime import timedelta

from django.db import models

from portal.tenants.models import TenantModel


class DeskSettings(TenantModel):
    """How a tenant wants its requests decided. Without a row: by one person, and without a deadline."""

    needs_two_for_approval = models.BooleanField(default=False)
    deadline_hours = models.PositiveIntegerField(null=True)
    """How many office hours a request may wait; null: as long as it takes."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_desk_settings_per_tenant")]

    def __str__(self) -> str:
        return "second approval required" if self.needs_two_for_approval else "no second approval"

    @property
    def deadline(self) -> timedelta | None:
        return None if self.deadline_hours is None else timedelta(hours=self.deadline_hours)
