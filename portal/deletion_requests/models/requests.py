import secrets
from datetime import date, datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.deletion_requests.legal_clock import SOON, Regulation, a_month_after, regulation_label
from portal.deletion_requests.models.states import (
    IDENTITY_TONES,
    NEEDS_ATTENTION,
    OPEN,
    PURSUED,
    TONES,
    Identity,
    Intake,
    State,
)
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager

LEASE = timedelta(seconds=150)
"""How long an attempt owns its request; longer than the longest task (120 s), so that a live one is never robbed."""
REFERENCE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that are easily taken for another one: a reference is read out on the phone."""
REFERENCE_LENGTH = 10
TODAY = models.Func(template="CURRENT_DATE", output_field=models.DateField())
"""For rows that the release before writes, which knows no clock: they are looked at at once."""


def new_reference() -> str:
    """Make the name of a request, for its address and its certificate. Tells nothing and cannot be guessed."""
    return "".join(secrets.choice(REFERENCE_LETTERS) for _ in range(REFERENCE_LENGTH))


def usual_deadline() -> date:
    """The last day of a request that came in today, under the regulation that is the strictest of the usual ones."""
    return a_month_after(timezone.localdate())


class DeletionRequestQuerySet(SearchedQuerySet["DeletionRequest"]):
    """Chains of deletion requests."""

    def open(self) -> Self:
        return self.filter(state__in=OPEN)

    def unfinished(self) -> Self:
        """Those that are open, or erased in vain: somebody has to ask anew."""
        return self.filter(Q(state__in=OPEN) | Q(came_back=True))

    def overdue(self, today: date) -> Self:
        return self.open().filter(deadline_on__lt=today)

    def due_soon(self, today: date) -> Self:
        """Those whose last day is near, and not over."""
        return self.open().filter(deadline_on__gte=today, deadline_on__lte=today + SOON)

    def needing_attention(self, today: date) -> Self:
        """Uncertain, refused, late or nearly so, or erased in vain."""
        is_near = Q(state__in=OPEN, deadline_on__lte=today + SOON)
        return self.filter(Q(state__in=NEEDS_ATTENTION) | is_near | Q(came_back=True))

    def free(self, now: datetime) -> Self:
        """Nobody is asking the platform about them right now."""
        return self.filter(Q(lease_until=None) | Q(lease_until__lte=now))

    def due(self, now: datetime) -> Self:
        return self.free(now).filter(state__in=PURSUED, due_at__lte=now)


class DeletionRequest(SearchedModel):
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
    intake = models.CharField(max_length=10, choices=Intake.choices, default=Intake.FORM, db_default=Intake.FORM)
    regulation = models.CharField(
        max_length=10, choices=Regulation.choices, default=Regulation.GDPR, db_default=Regulation.GDPR
    )
    own_days = models.PositiveSmallIntegerField(null=True)
    received_on = models.DateField(default=timezone.localdate, db_default=TODAY)
    """When the person asked, which may be long before somebody entered it here."""
    deadline_on = models.DateField(default=usual_deadline, db_default=TODAY)
    """The last day of the legal clock."""
    identity = models.CharField(
        max_length=10, choices=Identity.choices, default=Identity.UNCHECKED, db_default=Identity.UNCHECKED
    )
    identity_note = models.CharField(max_length=300, blank=True, default="", db_default="")
    """How it was checked. The address is taken out of it before it is saved."""
    identity_by_name = models.CharField(max_length=120, blank=True, default="", db_default="")
    identity_on = models.DateField(null=True)
    found = models.JSONField(default=dict, db_default={})
    """How many rows of each kind there were when somebody looked before sending."""
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """Who decided that it goes to the platform, last; None once their user is deleted."""
    sent_by_name = models.CharField(max_length=120, blank=True, default="", db_default="")
    sent_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SENDING)
    problem = models.CharField(max_length=300, blank=True)
    """What kept it from going on, in words for people."""
    erased = models.JSONField(default=dict)
    """How many rows of each kind were erased here."""
    came_back = models.BooleanField(default=False, db_default=False)
    """A second look found them on the platform, and nobody has asked anew for their erasure since."""
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
                condition=~Q(identity=Identity.FAILED) | Q(state=State.CLOSED),
                name="deletion_request_of_an_unknown_person_is_closed",
            ),
            models.CheckConstraint(
                condition=Q(email="") | Q(state__in=OPEN), name="deletion_request_forgets_the_address_when_over"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "state", "-id"], name="deletion_requests_of_a_state"),
            models.Index(fields=["tenant", "email_hash", "-id"], name="deletion_requests_of_a_person"),
            models.Index(
                fields=["tenant", "deadline_on", "id"], condition=Q(state__in=OPEN), name="deletion_requests_by_deadline"
            ),
            models.Index(fields=["due_at"], condition=Q(state__in=PURSUED), name="deletion_requests_to_do"),
        ]

    def __str__(self) -> str:
        return self.masked_email

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    @property
    def identity_tone(self) -> str:
        return IDENTITY_TONES.get(self.identity, "muted")

    @property
    def clock_words(self) -> str:
        """Which law, or how many days, the last day comes from."""
        return regulation_label(self.regulation, self.own_days)

    @property
    def is_received(self) -> bool:
        return self.state == State.RECEIVED

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
