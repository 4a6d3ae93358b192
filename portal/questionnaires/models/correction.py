from typing import Self

from django.conf import settings
from django.db import models

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.questionnaires.models.drift import Drift
from portal.questionnaires.models.response import Response
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class CorrectionState(models.TextChoices):
    """What became of a customer who was told otherwise."""

    OPEN = "open", "To correct"
    DONE = "done", "Corrected"
    NOT_NEEDED = "not-needed", "Not needed"

    @property
    def tone(self) -> str:
        return {self.OPEN: "warn", self.DONE: "good", self.NOT_NEEDED: "muted"}[self]


class CorrectionQuerySet(TenantQuerySet["Correction"]):
    def open(self) -> Self:
        return self.filter(state=CorrectionState.OPEN)


class Correction(TenantModel):
    """A customer who was told something else than what a person has said is true."""

    drift = models.ForeignKey(Drift, on_delete=models.CASCADE, related_name="corrections")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="+")
    """Where they were told so last."""
    right_answer = models.CharField(max_length=32)
    """The key of what they should have been told: who was corrected for one truth may have to be for another."""
    account_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    state = models.CharField(max_length=12, choices=CorrectionState, default=CorrectionState.OPEN)
    due_at = models.DateTimeField()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """Who settled the question has it at first."""
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TenantManager.from_queryset(CorrectionQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["drift", "response", "right_answer"], name="one_correction_per_response")
        ]
        indexes = [models.Index(fields=["tenant", "drift", "state"], name="corrections_by_question")]

    def __str__(self) -> str:
        return str(self.drift)

    @property
    def sign(self) -> tuple[str, str]:
        """Words and tone."""
        state = CorrectionState(self.state)
        return str(state.label), state.tone
