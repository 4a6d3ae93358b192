from datetime import timedelta

from django.db import models
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.questionnaires.models.questionnaire import Priority, Questionnaire
from portal.tenants.models import TenantModel


class TargetKind(models.TextChoices):
    """What a target asks for, the most specific first: the first that fits a questionnaire counts."""

    ACCOUNT = "account", "Account"
    TAG = "tag", "Tag"
    PRIORITY = "priority", "Priority"
    EVERYTHING = "everything", "Everything else"


class Target(TenantModel):
    """Within how many office hours the questionnaires that fit are to be done."""

    kind = models.CharField(max_length=12, choices=TargetKind)
    priority = models.PositiveSmallIntegerField(choices=Priority, default=Priority.NORMAL)
    """Counts where the kind is priority, as the keys below do where they belong to the kind."""
    account_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    category_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    tag_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    name = models.CharField(max_length=300, blank=True)
    """Of the account or tag, as it was called when the target was made."""
    hours = models.PositiveIntegerField()

    class Meta:
        ordering = ["kind", "-priority", "name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "kind", "priority", "account_id", "category_id", "tag_id"], name="one_target_per_condition"
            )
        ]

    def __str__(self) -> str:
        return f"{self.condition}: within {self.length_words}"

    @property
    def length_words(self) -> str:
        return f"{self.hours:,} office hour{'' if self.hours == 1 else 's'}"

    @property
    def condition(self) -> str:
        """What it asks for, in words."""
        if self.kind == TargetKind.PRIORITY:
            return str(Priority(self.priority).label)
        if self.kind == TargetKind.EVERYTHING:
            return TargetKind.EVERYTHING.label
        return f"{TargetKind(self.kind).label} {self.name or 'without a name'}"

    @property
    def length(self) -> timedelta:
        return timedelta(hours=self.hours)


class ClockSettings(TenantModel):
    """When a tenant warns of a target; and how far the clocks have been recalculated since its settings changed."""

    warn_percent = models.PositiveSmallIntegerField(default=25)
    """So much of a target's office time is left when the warning goes out."""
    stale_since = models.DateTimeField(null=True)
    after_id = models.BigIntegerField(default=0)
    """Up to this questionnaire it is done."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_clock_settings_per_tenant")]
        indexes = [
            models.Index(fields=["stale_since"], condition=models.Q(stale_since__isnull=False), name="clock_settings_stale")
        ]

    def __str__(self) -> str:
        return f"warns at {self.warn_percent}%"


class StatusSeen(TenantModel):
    """A change of a status as the portal came to see it: what is known where the platform's own log does not tell."""

    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="statuses_seen")
    before = models.CharField(max_length=80)
    status = models.CharField(max_length=80)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["seen_at", "id"]

    def __str__(self) -> str:
        return f"{self.before} → {self.status}"
