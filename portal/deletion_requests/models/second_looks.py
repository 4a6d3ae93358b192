from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q

from portal.deletion_requests.models.requests import DeletionRequest
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class Outcome(models.TextChoices):
    """What a second look has found."""

    NOTHING = "nothing", "Nothing found"
    ERASED_AGAIN = "erased", "Came back, erased again"
    STILL_LISTED = "listed", "Needs a new request"
    ANEW = "anew", "Asked for access again"


OUTCOME_TONES = {
    Outcome.NOTHING.value: "good",
    Outcome.ERASED_AGAIN.value: "warn",
    Outcome.STILL_LISTED.value: "bad",
    Outcome.ANEW.value: "info",
}


class SecondLookQuerySet(TenantQuerySet["SecondLook"]):
    def waiting(self) -> Self:
        return self.filter(looked_at=None)

    def due(self, now: datetime) -> Self:
        """Those whose time has come and that nobody has in hand."""
        return self.waiting().filter(Q(lease_until=None) | Q(lease_until__lte=now), due_at__lte=now)


class SecondLook(TenantModel):
    """One look, days after an erasure, whether the person came back. Knows them by the hash of the ledger's row only."""

    deletion_request = models.ForeignKey(DeletionRequest, on_delete=models.CASCADE, related_name="second_looks")
    due_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    """Also tells who owns the row: an outcome is written only while the number is still that of its attempt."""
    lease_until = models.DateTimeField(null=True)
    looked_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True)
    was_platform_asked = models.BooleanField(default=False)
    """Otherwise only the copies here were looked at."""
    found = models.JSONField(default=dict)
    """How many rows of each kind had come back."""
    problem = models.CharField(max_length=300, blank=True)
    """Why it has not been done yet, or why the platform was not asked."""

    objects = TenantManager.from_queryset(SecondLookQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["deletion_request"], condition=Q(looked_at=None), name="one_second_look_to_come_per_request"
            )
        ]
        indexes = [models.Index(fields=["due_at"], condition=Q(looked_at=None), name="second_looks_to_do")]

    def __str__(self) -> str:
        return self.description

    @property
    def tone(self) -> str:
        return OUTCOME_TONES.get(self.outcome, "muted")

    @property
    def found_count(self) -> int:
        return sum(self.found.values())

    @property
    def description(self) -> str:
        """The outcome as the certificate says it."""
        rows = f"{self.found_count} row{'' if self.found_count == 1 else 's'}"
        match self.outcome:
            case Outcome.NOTHING:
                return "Nothing found." if self.was_platform_asked else "Nothing found here; the platform could not be asked."
            case Outcome.ERASED_AGAIN:
                return f"{rows} had come back and {'was' if self.found_count == 1 else 'were'} erased again."
            case Outcome.STILL_LISTED:
                if self.was_platform_asked:
                    back = f" {rows} had come back here." if self.found_count else ""
                    return f"The platform still lists this person.{back} Needs a new request."
                return f"The platform could not be asked. {rows} had come back here. Needs a new request."
            case Outcome.ANEW:
                return "Nothing from before the erasure. The person has asked for access again since; that is new, and is kept."
            case _:
                return "The next check is on this day."
