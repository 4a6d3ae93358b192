from typing import Final

from django.db import models
from django.utils import timezone

from portal.tenants.models import TenantModel

AREA: Final = "language_model"
"""The live area that the room's pages watch."""
MAX_QUESTION_LENGTH = 300


class ModelSwitch(TenantModel):
    """Whether a tenant lets its texts go to the language model. Without a row: no."""

    is_on = models.BooleanField(default=False)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by_name = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_model_switch_per_tenant")]

    def __str__(self) -> str:
        return "On" if self.is_on else "Off"


class Outcome(models.TextChoices):
    """What came of a call."""

    USED = "used", "Used"
    UNSUPPORTED = "unsupported", "Not supported by the sources"
    UNREADABLE = "unreadable", "Answer could not be read"
    REFUSED = "refused", "Refused by the model's server"
    NO_ANSWER = "no-answer", "No answer in time"
    UNREACHABLE = "unreachable", "Server not reached"


OUTCOME_TONES = {Outcome.USED.value: "good", Outcome.UNSUPPORTED.value: "warn"}


class ModelCall(TenantModel):
    """One request to the language model: what was sent, as it was sent, and what came back."""

    at = models.DateTimeField(default=timezone.now)
    asked_for = models.CharField(max_length=120, blank=True)
    """Who had it asked, by name."""
    question = models.CharField(max_length=MAX_QUESTION_LENGTH)
    sent = models.TextField()
    answered = models.TextField(blank=True)
    outcome = models.CharField(max_length=12, choices=Outcome.choices)
    tokens = models.PositiveIntegerField(default=0)
    """As the server counts them, or a guess by the letters where it does not say."""
    seconds = models.FloatField(default=0)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["tenant", "at"], name="model_calls_of_a_month")]

    def __str__(self) -> str:
        return self.question

    @property
    def tone(self) -> str:
        return OUTCOME_TONES.get(self.outcome, "bad")
