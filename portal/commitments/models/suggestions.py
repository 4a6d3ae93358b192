from typing import Self

from django.db import models
from django.utils import timezone

from portal.commitments.models.commitments import Commitment
from portal.commitments.models.terms import Term, Unit, promise_words
from portal.contracts.models import Contract
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class SuggestionState(models.TextChoices):
    """open -> accepted, as it is or corrected; or dismissed, from where it can be brought back."""

    OPEN = "open", "To decide"
    ACCEPTED = "accepted", "Accepted"
    PUT_AWAY = "put-away", "Dismissed"


class SuggestionQuerySet(TenantQuerySet["Suggestion"]):
    """Chains of suggestions."""

    def of_state(self, state: str) -> Self:
        return self.filter(state=state)

    def open(self) -> Self:
        return self.filter(state=SuggestionState.OPEN)


class Suggestion(TenantModel):
    """A promise that patterns have found in the text of a contract. It counts for nothing until a person has accepted it.

    What was decided stays here, so that the same words do not come again when the text is read again.
    """

    contract = models.ForeignKey(Contract, on_delete=models.CASCADE, related_name="+")
    fingerprint = models.CharField(max_length=64)
    """Equal for the same promise in the same words of one contract, wherever they stand."""
    term = models.CharField(max_length=30, choices=Term.choices)
    amount = models.DecimalField(max_digits=9, decimal_places=3, null=True)
    unit = models.CharField(max_length=20, choices=Unit.choices, blank=True)
    words = models.CharField(max_length=300, blank=True)
    clause = models.CharField(max_length=60, blank=True)
    page = models.PositiveIntegerField()
    quote = models.TextField()
    found_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=SuggestionState.choices, default=SuggestionState.OPEN)
    decided_at = models.DateTimeField(null=True)
    decided_by_name = models.CharField(max_length=120, blank=True)
    commitment = models.ForeignKey(Commitment, on_delete=models.SET_NULL, null=True, related_name="+")
    """What came of it."""

    objects = TenantManager.from_queryset(SuggestionQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "contract", "fingerprint"], name="one_suggestion_of_the_same_words")
        ]
        indexes = [models.Index(fields=["tenant", "state", "id"], name="suggestions_of_state")]

    def __str__(self) -> str:
        return f"{self.get_term_display()}: {self.promise}"

    @property
    def promise(self) -> str:
        return promise_words(self.amount, self.unit, self.words)

    @property
    def is_open(self) -> bool:
        return self.state == SuggestionState.OPEN


class Reading(TenantModel):
    """How far the text of one contract has been looked through for promises: the work that waits, and that it is done."""

    contract = models.OneToOneField(Contract, on_delete=models.CASCADE, related_name="+")
    read_at = models.DateTimeField()
    """Which reading of the document this is about: `Contract.read_at` of then."""
    patterns = models.PositiveIntegerField()
    """By which patterns (`patterns.VERSION`): better ones look at every text once more."""
    is_done = models.BooleanField(default=False)
    attempts = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.contract_id} by patterns {self.patterns}"
