from django.db import models

from portal.tenants.models import TenantModel


class Area(TenantModel):
    """How often the rows of one area of a tenant have changed."""

    name = models.CharField(max_length=40)
    version = models.PositiveBigIntegerField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="one_version_per_area")]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"
