from datetime import UTC, datetime
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.commitments.models.commitments import Commitment
from portal.commitments.models.terms import Unit, Verdict, promise_words
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.questionnaires.models import Response
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


class ContradictionQuerySet(TenantQuerySet["Contradiction"]):
    """Chains of contradictions."""

    def shown(self) -> Self:
        """Those whose promise is in force and whose answer is still there."""
        return self.filter(
            commitment__ended_at__isnull=True, response__gone_at__isnull=True, response__questionnaire__gone_at__isnull=True
        )

    def open(self) -> Self:
        return self.shown().filter(is_open=True)

    def dismiss(self) -> Self:
        return self.shown().filter(is_open=False)


class Contradiction(TenantModel):
    """An answer to a customer that says another thing than its contract promises.

    Made of the answers and the promises and kept beside them, so that no page has to read all answers there are.
    """

    commitment = models.ForeignKey(Commitment, on_delete=models.CASCADE, related_name="+")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="+")
    amount = models.DecimalField(max_digits=9, decimal_places=3, null=True)
    unit = models.CharField(max_length=20, choices=Unit.choices, blank=True)
    words = models.CharField(max_length=300, blank=True)
    quote = models.TextField()
    """The sentence of the answer."""
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    """How the answer stands against the promise."""
    found_at = models.DateTimeField(default=timezone.now)
    is_open = models.BooleanField(default=True)
    reason = models.CharField(max_length=300, blank=True)
    """Why somebody has put it away. It stays away until the answer or the promise says yet another thing."""
    settled_at = models.DateTimeField(null=True)
    settled_by_name = models.CharField(max_length=120, blank=True)

    objects = TenantManager.from_queryset(ContradictionQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "commitment", "response"], name="one_contradiction_of_each_answer")
        ]
        indexes = [models.Index(fields=["tenant", "is_open", "-id"], name="contradictions_newest")]

    def __str__(self) -> str:
        return f"{self.told} against {self.commitment}"

    @property
    def told(self) -> str:
        """What the answer says, in words."""
        return promise_words(self.amount, self.unit, self.words)


class CustomerCheck(TenantModel):
    """One customer whose answers are checked against its promises: the work that waits, and when it was done last."""

    account_id = models.CharField(max_length=MAX_ID_LENGTH)
    due_at = models.DateTimeField(null=True)
    """Since when it waits; None: nothing has changed since it was checked."""
    checked_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "account_id"], name="one_check_per_customer")]
        indexes = [models.Index(fields=["tenant", "due_at"], condition=Q(due_at__isnull=False), name="customer_checks_to_do")]

    def __str__(self) -> str:
        return f"check of {self.account_id}"


class CheckProgress(TenantModel):
    """How far the questionnaires of a tenant were seen: up to the one that was touched here at that moment."""

    seen_at = models.DateTimeField(default=BEGINNING)
    seen_id = models.BigIntegerField(default=0)
    turn_at = models.DateTimeField(null=True)
    """When the last turn began, while there is more to do: it asks for the next one by itself."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_check_progress_per_tenant")]

    def __str__(self) -> str:
        return f"seen up to {self.seen_at}"
