import secrets
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.tenants.managers import TenantManager, TenantModel, TenantQuerySet

LEASE = timedelta(seconds=150)
"""How long an attempt owns its request; longer than the longest task (120 s), so that a live one is never robbed."""
REFERENCE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that are easily taken for another one: a reference is read out on the phone."""
REFERENCE_LENGTH = 10


def new_reference() -> str:
    """Make the name of a request, for its address and its certificate. Tells nothing and cannot be guessed."""
    return "".join(secrets.choice(REFERENCE_LETTERS) for _ in range(REFERENCE_LENGTH))


class State(models.TextChoices):
    """sending -> confirmed -> erased, the good way.

    sending -> waiting: it did not reach the platform. sending -> uncertain: it may have. sending -> refused: the platform
    said no. All three can be sent again; an uncertain one stays uncertain until the platform has answered. A person closes
    what is refused or still waits.
    """

    SENDING = "sending", "Being sent"
    WAITING = "waiting", "Waiting to be sent"
    UNCERTAIN = "uncertain", "Uncertain, being checked"
    CONFIRMED = "confirmed", "Confirmed, being erased here"
    ERASED = "erased", "Erased"
    REFUSED = "refused", "Refused"
    CLOSED = "closed", "Closed without erasure"


TONES = {
    State.SENDING.value: "info",
    State.WAITING.value: "info",
    State.UNCERTAIN.value: "warn",
    State.CONFIRMED.value: "info",
    State.ERASED.value: "good",
    State.REFUSED.value: "bad",
    State.CLOSED.value: "muted",
}
OVER = (State.ERASED.value, State.CLOSED.value)
OPEN = tuple(state for state in State.values if state not in OVER)
PURSUED = tuple(state for state in OPEN if state != State.REFUSED)
"""What the sweep goes on with. A refusal waits for a person."""
REPEATABLE = (State.WAITING.value, State.UNCERTAIN.value, State.REFUSED.value)
CLOSABLE = (State.WAITING.value, State.REFUSED.value)
"""An uncertain one cannot be closed: nobody knows yet what there is to close."""
NEEDS_ATTENTION = (State.UNCERTAIN.value, State.REFUSED.value)


class DeletionRequestQuerySet(TenantQuerySet["DeletionRequest"]):
    """Chains of deletion requests."""

    def open(self) -> Self:
        return self.filter(state__in=OPEN)

    def needing_attention(self) -> Self:
        return self.filter(state__in=NEEDS_ATTENTION)

    def free(self, now: datetime) -> Self:
        """Nobody is asking the platform about them right now."""
        return self.filter(Q(lease_until=None) | Q(lease_until__lte=now))

    def due(self, now: datetime) -> Self:
        return self.free(now).filter(state__in=PURSUED, due_at__lte=now)


class DeletionRequest(TenantModel):
    """One request to erase a person. There is no status to ask the platform for: this row is the proof."""

    reference = models.CharField(max_length=REFERENCE_LENGTH, default=new_reference, editable=False)
    email = models.CharField(max_length=320, blank=True)
    """Kept only as long as something is still to be done with it; see `addresses`."""
    email_hash = models.CharField(max_length=64)
    masked_email = models.CharField(max_length=330)
    note = models.CharField(max_length=300, blank=True)
    """Why, or the number of a ticket. The address is taken out of it before it is saved."""
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    requested_by_name = models.CharField(max_length=120)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SENDING)
    problem = models.CharField(max_length=300, blank=True)
    """What kept it from going on, in words for people."""
    erased = models.JSONField(default=dict)
    """How many rows of each kind were erased here."""
    requested_at = models.DateTimeField(default=timezone.now)
    uncertain_at = models.DateTimeField(null=True)
    """When an answer was first lost. Stays, so that a refusal that follows does not hide that it may have been done."""
    refused_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    """Also tells who owns the row: an outcome is written only while the number is still that of its attempt."""
    due_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(DeletionRequestQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "reference"], name="one_deletion_request_per_reference"),
            # Two people asking at once: the second one is led to the request of the first.
            models.UniqueConstraint(
                fields=["tenant", "email_hash"], condition=Q(state__in=OPEN), name="one_open_deletion_request_per_address"
            ),
            models.CheckConstraint(
                condition=Q(email="") | Q(state__in=OPEN), name="deletion_request_forgets_the_address_when_over"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "state", "-id"], name="deletion_requests_of_a_state"),
            models.Index(fields=["tenant", "email_hash", "-id"], name="deletion_requests_of_a_person"),
            models.Index(fields=["due_at"], condition=Q(state__in=PURSUED), name="deletion_requests_to_do"),
        ]

    def __str__(self) -> str:
        return self.masked_email

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def is_erased(self) -> bool:
        return self.state == State.ERASED

    @property
    def is_in_doubt(self) -> bool:
        """An answer was lost, and none that came later has settled whether the platform did it."""
        return self.uncertain_at is not None and self.confirmed_at is None

    @property
    def erased_count(self) -> int:
        return sum(self.erased.values())

    def is_free(self, now: datetime) -> bool:
        return self.lease_until is None or self.lease_until <= now

    @property
    def is_due(self) -> bool:
        now = timezone.now()
        return self.state in PURSUED and self.due_at <= now and self.is_free(now)
