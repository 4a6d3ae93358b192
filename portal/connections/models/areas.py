from django.db import models

from portal.tenants.models import TenantModel


class Answer(models.TextChoices):
    """What the platform says when an area is asked for."""

    YES = "yes", "Covered"
    NO = "no", "Not covered"
    UNKNOWN = "unknown", "Not known"


class Capability(TenantModel):
    """Whether the grant covers one area of the platform: the documented scopes do not tell, so it was tried."""

    area = models.CharField(max_length=40)
    answer = models.CharField(max_length=10, choices=Answer.choices, default=Answer.UNKNOWN)
    detail = models.CharField(max_length=300, blank=True)
    asked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "area"], name="one_answer_per_area")]

    def __str__(self) -> str:
        return f"{self.area}: {self.get_answer_display()}"


class AccountMark(TenantModel):
    """A keyed digest of something that only one account on the platform has: how two grants of one account are noticed."""

    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "digest"], name="one_mark_of_an_account")]
        indexes = [models.Index(fields=["digest"], name="marks_of_an_account")]

    def __str__(self) -> str:
        return self.digest[:8]
