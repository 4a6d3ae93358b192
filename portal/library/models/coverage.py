"""What was asked and has no entry: found out in the background (`services.comparison`)."""

from django.db import models

from portal.library.models.wordings import Wording
from portal.tenants.models import TenantModel

MAX_THEME = 30


class Gap(TenantModel):
    """A question that no entry answers well, in all the wordings in which it was asked."""

    wording = models.ForeignKey(Wording, on_delete=models.CASCADE, related_name="+")
    """The one that was asked most often."""
    theme = models.CharField(max_length=MAX_THEME)
    asked_count = models.PositiveIntegerField(default=0)
    questionnaire_count = models.PositiveIntegerField(default=0)
    wording_count = models.PositiveIntegerField(default=1)
    asked_at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        ordering = ["-asked_count", "-id"]
        indexes = [
            models.Index(fields=["tenant", "-asked_count", "-id"], name="gaps_by_number"),
            models.Index(fields=["tenant", "theme", "-asked_count", "-id"], name="gaps_by_theme"),
        ]

    def __str__(self) -> str:
        return str(self.wording)


class Coverage(TenantModel):
    """How much of what was asked has an entry, as it was at a moment: to count it for each page would take longer each year."""

    counted_at = models.DateTimeField()
    asked_count = models.PositiveIntegerField()
    """Different wordings that were asked within the year before, and are judged."""
    covered_count = models.PositiveIntegerField()
    """How many of them an entry answers."""
    waiting_count = models.PositiveIntegerField()
    """Wordings that had yet to be judged, or to be judged once more."""
    gaps = models.JSONField(default=dict)
    """From each theme to its number of gaps."""

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_coverage_per_tenant")]

    def __str__(self) -> str:
        return f"{self.covered_count} of {self.asked_count}"

    @property
    def percent(self) -> int:
        """The share that has an entry, rounded down: 100 says that all have one."""
        return 100 * self.covered_count // self.asked_count if self.asked_count else 0

    @property
    def gap_count(self) -> int:
        return sum(self.gaps.values())
