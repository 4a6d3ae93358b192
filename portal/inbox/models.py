import secrets
from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.lib.keys import ring
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.platform_api.webhooks import EVENT_TYPES, MAX_HOOK_ID_LENGTH
from portal.tenants.managers import TenantManager, TenantQuerySet
from portal.tenants.models import Tenant, TenantModel

LEASE = timedelta(seconds=150)
"""How long a worker owns what it has claimed; longer than the longest task (120 s), so that a live one is never robbed."""

OUR_AREAS = ("v1.questionnaire.", "v1.trust-center.", "v1.vendor.")
OUR_EVENT_TYPES = tuple(event_type for event_type in EVENT_TYPES if event_type.startswith(OUR_AREAS))
"""The events that reach a customer trust team; the auditor domains go to audit partners only (specification 6.2)."""

SEALED_FIELDS = ("secret", "previous_secret")


def new_public_id() -> str:
    """Make the part of an address that nobody can guess."""
    return secrets.token_urlsafe(24)


class Endpoint(TenantModel):
    """One address that the platform delivers a tenant's events to: of one type, or of all."""

    public_id = models.CharField(max_length=43, unique=True, default=new_public_id, editable=False)
    event_type = models.CharField(max_length=100, blank=True)
    secret = models.BinaryField(default=b"")
    previous_secret = models.BinaryField(default=b"")
    previous_until = models.DateTimeField(null=True)
    secret_entered_at = models.DateTimeField(null=True)
    generation = models.PositiveIntegerField(default=0, db_default=0)
    """Counts the changes: what a web process remembers of an address holds until the next one."""
    confirmed_at = models.DateTimeField(null=True)
    """When a delivery signed with the current secret had come: the platform knows it."""
    late_count = models.PositiveIntegerField(default=0, db_default=0)
    """Deliveries refused because they were signed with the previous secret after its end, and the last of them."""
    late_at = models.DateTimeField(null=True)
    late_told_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        # The one for all events comes first: an empty type sorts before every other.
        ordering = ["event_type"]
        constraints = [models.UniqueConstraint(fields=["tenant", "event_type"], name="one_endpoint_per_event_type")]

    def __str__(self) -> str:
        return self.event_type or "All events"

    def save(self, *args: Any, **options: Any) -> None:
        self.generation += 1
        if "update_fields" in options:
            options["update_fields"] = [*options["update_fields"], "generation"]
        super().save(*args, **options)

    @property
    def url(self) -> str:
        """The address to register on the platform."""
        tail = f"{self.event_type}/" if self.event_type else ""
        return f"{settings.PUBLIC_URL}/hooks/{self.public_id}/{tail}"

    @property
    def has_secret(self) -> bool:
        return bool(self.secret)

    def accepts_previous(self, now: datetime) -> bool:
        return bool(self.previous_secret and self.previous_until and now < self.previous_until)

    def secrets(self, now: datetime) -> list[str]:
        """Return the signing secrets that are valid now, the current one first. Raises Locked when no key opens them."""
        found = [self.open("secret")] if self.secret else []
        return [*found, self.open("previous_secret")] if self.accepts_previous(now) else found

    def seal(self, field: str, plain: str) -> bytes:
        return ring().seal(plain, place=self.sealed_at(field))

    def open(self, field: str) -> str:
        return ring().open(bytes(getattr(self, field)), place=self.sealed_at(field))

    def sealed_at(self, field: str) -> str:
        """Name where a secret is sealed, so that it opens nowhere else."""
        return f"endpoint:{self.public_id}:{field}"


class DeliveryState(models.TextChoices):
    """pending -> done, ignored or dead; a person or the platform can make it pending again."""

    PENDING = "pending", "Waiting"
    DONE = "done", "Processed"
    IGNORED = "ignored", "Ignored"
    DEAD = "dead", "Failed"


FINISHED = (DeliveryState.DONE.value, DeliveryState.IGNORED.value)
"""What has failed or still waits needs its body: a person may send it on its way again."""
# Without `in`: SQLite would not take the index that has this condition.
TO_BE_CUT = Q(is_cut=False) & (Q(state=DeliveryState.DONE.value) | Q(state=DeliveryState.IGNORED.value))
TONES = {
    DeliveryState.PENDING.value: "info",
    DeliveryState.DONE.value: "good",
    DeliveryState.IGNORED.value: "muted",
    DeliveryState.DEAD.value: "bad",
}


class DeliveryQuerySet(TenantQuerySet["Delivery"]):
    """Chains of deliveries."""

    def due(self) -> Self:
        now = timezone.now()
        return self.filter(Q(lease_until=None) | Q(lease_until__lt=now), state=DeliveryState.PENDING, due_at__lte=now)

    def to_be_cut(self) -> Self:
        """Those that were finished and still have their body, in the order they came; an index has just these."""
        return self.filter(TO_BE_CUT).order_by("received_at")

    def in_state(self, state: str) -> Self:
        return self.filter(state=state) if state else self

    def naming(self, object_id: str) -> Self:
        # SQLite takes the index of those that name an object only for a query that repeats its condition.
        return self.filter(object_id=object_id).exclude(object_id="")


class Delivery(TenantModel):
    """One signed message of the platform. The row is the queue: nothing else says that there is work."""

    # Both keys are the first of an index below, and every index costs each arrival. So does every key that the database
    # checks: that of the endpoint leads to the tenant as well.
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="+", db_index=False)
    hook_id = models.CharField(max_length=MAX_HOOK_ID_LENGTH)
    received_at = models.DateTimeField(default=timezone.now)
    body = models.BinaryField()
    event_type = models.CharField(max_length=200, blank=True)
    """From the address it came to, else what `parse` made of the body; empty while nobody knows."""
    secret_index = models.PositiveSmallIntegerField(default=0)
    """Which secret has signed it: 0 the current one, 1 the one before it."""
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    lease_owner = models.CharField(max_length=36, blank=True)
    lease_until = models.DateTimeField(null=True)
    processed_at = models.DateTimeField(null=True)
    object_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """The object the event names, to tell what became of it."""
    outcome = models.CharField(max_length=200, blank=True)
    error = models.CharField(max_length=300, blank=True)
    is_cut = models.BooleanField(default=False, db_default=False)
    """The body was removed after its time. The keys stay: a very late duplicate is still known (guarantee O7)."""

    objects = TenantManager.from_queryset(DeliveryQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["endpoint", "hook_id"], name="one_delivery_per_hook_id")]
        indexes = [
            models.Index(fields=["tenant", "-id"], name="deliveries_of_a_tenant"),
            models.Index(fields=["tenant", "-id"], condition=Q(state="dead"), name="deliveries_that_failed"),
            models.Index(fields=["tenant", "due_at"], condition=Q(state="pending"), name="deliveries_to_do"),
            models.Index(fields=["tenant", "state", "-id"], name="deliveries_of_a_state"),
            models.Index(fields=["tenant", "object_id"], condition=~Q(object_id=""), name="deliveries_of_an_object"),
            # No arrival is in it: that one waits.
            models.Index(fields=["received_at"], condition=TO_BE_CUT, name="deliveries_to_be_cut"),
        ]

    def __str__(self) -> str:
        return self.event_type or ("New event" if self.is_waiting else "Unknown event")

    @property
    def is_waiting(self) -> bool:
        return self.state == DeliveryState.PENDING

    @property
    def tone(self) -> str:
        return "warn" if self.is_waiting and self.error else TONES.get(self.state, "muted")

    @property
    def description(self) -> str:
        """Say what came of it, or why nothing has yet."""
        if self.is_waiting:
            return f"The last attempt failed and will be retried. {self.error}" if self.error else "Waiting to be processed."
        return self.error or self.outcome or "Processed."


class Rhythm(TenantModel):
    """How often a tenant's events come: what a silence is measured against."""

    last_delivery_id = models.BigIntegerField(default=0)
    """The newest delivery that was looked at."""
    first_at = models.DateTimeField(null=True)
    last_at = models.DateTimeField(null=True)
    pauses = models.JSONField(default=list)
    """The long pauses of the last weeks: pairs of seconds since the epoch at their end, and their length in seconds."""
    silent_since = models.DateTimeField(null=True)
    """The last delivery before a silence that is longer than the tenant's rhythm explains."""
    told_at = models.DateTimeField(null=True)
    watched_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_rhythm_per_tenant")]

    def __str__(self) -> str:
        return f"silent since {self.silent_since}" if self.silent_since else "speaking"

    @property
    def longest_pause(self) -> timedelta:
        return timedelta(seconds=max((length for _, length in self.pauses), default=0.0))


class ReplayWindow(TenantModel):
    """How often people of a tenant have had deliveries handled again since a moment."""

    kind = models.CharField(max_length=10)
    started_at = models.DateTimeField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "kind"], name="one_replay_window_per_kind")]

    def __str__(self) -> str:
        return f"{self.count} x {self.kind}"
