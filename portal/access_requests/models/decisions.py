from collections.abc import Iterable
from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.access_requests.models.people import level_label
from portal.access_requests.models.requests import AccessRequest, Outcome
from portal.access_requests.models.states import ACTIVE, ANSWER_TIME, OPEN, WAITING, DecisionState, Verb
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet
from portal.users.models import User

OUTCOME_OF = {Verb.APPROVE.value: Outcome.APPROVED, Verb.DENY.value: Outcome.DENIED}
DOING = {Verb.APPROVE.value: "Approving", Verb.DENY.value: "Denying"}
TONES = {
    "asked": "warn",
    "held": "info",
    "sending": "info",
    "unconfirmed": "warn",
    "done": "good",
    "elsewhere": "warn",
    "declined": "warn",
    "failed": "bad",
    "lost": "bad",
}


class DecisionQuerySet(TenantQuerySet["Decision"]):
    """Chains of decisions."""

    def active(self) -> Self:
        return self.filter(state__in=ACTIVE)

    def waiting(self) -> Self:
        return self.filter(state__in=WAITING)

    def scheduled(self) -> Self:
        return self.filter(state=DecisionState.SCHEDULED)

    def awaiting_second(self) -> Self:
        return self.filter(state=DecisionState.AWAITING_SECOND)

    def of(self, user_id: int) -> Self:
        """Those that this person made, or gave the second approval."""
        return self.filter(Q(decided_by=user_id) | Q(second_by=user_id))

    def due(self, now: datetime) -> Self:
        """Those that a worker can send now: the window has passed, or whoever sent it died on the way."""
        deserted = Q(state=DecisionState.SENDING, lease_until__lte=now)
        return self.filter(Q(state=DecisionState.SCHEDULED, send_at__lte=now) | deserted)

    def unchanged_since(self, decision: "Decision") -> Self:
        """The row, while nobody has brought it further than this copy of it."""
        return self.filter(pk=decision.pk, state=decision.state, turn=decision.turn)


class Decision(TenantModel):
    """What one person, or a rule, decided about one request, from before the call leaves until its outcome is known."""

    access_request = models.ForeignKey(AccessRequest, on_delete=models.CASCADE, related_name="decisions")
    verb = models.CharField(max_length=10, choices=Verb.choices)
    terms = models.JSONField(default=dict)
    """What is granted: access_level, resource_ids, resources (their titles then), expires_at, is_nda_required. Empty for a
    denial."""
    reason = models.TextField(blank=True)
    facts = models.JSONField(default=dict)
    """What was known when deciding. Holds no name and no address: those go when the person is erased."""
    state = models.CharField(max_length=12, choices=DecisionState.choices, default=DecisionState.SCHEDULED)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """Nobody, when a rule did."""
    decided_by_name = models.CharField(max_length=120)
    rule_id = models.CharField(max_length=32, blank=True, default="", db_default="")
    rule_name = models.CharField(max_length=200, blank=True, default="", db_default="")
    rule_version = models.PositiveIntegerField(null=True)
    batch = models.UUIDField(null=True)
    """Decisions that were made together are looked at and undone together."""
    second_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    second_by_name = models.CharField(max_length=120, blank=True, default="", db_default="")
    """Who confirmed it, or rejected it."""
    undone_by_name = models.CharField(max_length=120, blank=True, default="", db_default="")
    created_at = models.DateTimeField(default=timezone.now)
    send_at = models.DateTimeField(null=True)
    """When it is sent at the earliest: until a worker takes it, it can be undone."""
    turn = models.PositiveIntegerField(default=0, db_default=0)
    """Tells who owns the decision: an outcome is written only while the number is still that of its worker's turn."""
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0, db_default=0)
    sent_at = models.DateTimeField(null=True)
    """When a worker last took it: the call left after that, if it left."""
    was_sent = models.BooleanField(default=False)
    """The platform may have got the call: if the request turns out decided this way, it was by this decision."""
    description = models.CharField(max_length=300, blank=True, default="", db_default="")
    """Why it waits, was not made or was rejected, in words for people."""
    settled_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    """When whoever decided put away the notice that it did not come to that."""

    is_in_doubt = False
    """While a worker has it: an earlier one died with it, and its call may have left."""

    objects = TenantManager.from_queryset(DecisionQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            # Two people deciding at once: the second one's row does not fit (guarantee W3).
            models.UniqueConstraint(
                fields=["tenant", "access_request"],
                condition=Q(state__in=[state.value for state in ACTIVE]),
                name="one_decision_per_access_request",
            )
        ]
        indexes = [
            models.Index(
                fields=["send_at"],
                condition=Q(state__in=[DecisionState.SCHEDULED.value, DecisionState.SENDING.value]),
                name="decisions_to_send",
            ),
            models.Index(fields=["tenant", "state", "-id"], name="decisions_of_a_state"),
            models.Index(fields=["tenant", "batch"], condition=Q(batch__isnull=False), name="decisions_of_a_batch"),
        ]

    def __str__(self) -> str:
        return f"{self.get_verb_display()} by {self.decided_by_name}: {self.get_state_display()}"

    @property
    def expected_outcome(self) -> Outcome:
        return OUTCOME_OF[self.verb]

    @property
    def doing(self) -> str:
        return DOING[self.verb]

    @property
    def title(self) -> str:
        """What a callout says that tells why it was not made."""
        return f"{self.failure}, by {self.decided_by_name}"

    @property
    def failure(self) -> str:
        if self.state == DecisionState.NEVER_CONFIRMED:
            return self.get_state_display()
        return f"Not {self.get_verb_display().lower()}"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def is_waiting(self) -> bool:
        """Nothing has left: it can still be taken back."""
        return self.state in WAITING

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    @property
    def was_too_late(self) -> bool:
        """Say whether it never stood, because somebody else's did already: of a batch, to be told to whoever made it."""
        return self.state == DecisionState.FAILED and self.send_at is None

    @property
    def outcome_words(self) -> str:
        return self.get_verb_display() if self.state == DecisionState.DONE else self.get_state_display()

    @property
    def level_label(self) -> str:
        return level_label(self.terms.get("access_level", ""))

    @property
    def expires_at(self) -> datetime | None:
        text = self.terms.get("expires_at")
        return datetime.fromisoformat(text) if text else None

    @property
    def seconds_left(self) -> int:
        return seconds_until(self.send_at)

    @property
    def is_by_rule(self) -> bool:
        return bool(self.rule_name)

    def is_by(self, user: User) -> bool:
        return self.decided_by_id is not None and self.decided_by_id == user.pk

    def is_of(self, user: User) -> bool:
        """Say whether this person made it, or gave the second approval: as `DecisionQuerySet.of`."""
        return user.pk in (self.decided_by_id, self.second_by_id)

    @property
    def unanswered_until(self) -> datetime:
        """When its call can be on its way no longer."""
        return (self.sent_at or self.created_at) + ANSWER_TIME

    def is_recent(self, now: datetime) -> bool:
        """Its call may still be on its way."""
        return self.unanswered_until > now


def seconds_until(send_at: datetime | None) -> int:
    """Return how long it is at least until something scheduled then is sent, by the clock of this machine."""
    left = (send_at - timezone.now()).total_seconds() if send_at else 0
    return max(0, -int(-left // 1))


def latest_decisions(decisions: Iterable[Decision]) -> dict[int, Decision]:
    """Return the last decision about each request; they are given oldest first. While one stands, no later one counts."""
    latest: dict[int, Decision] = {}
    for decision in decisions:
        before = latest.get(decision.access_request_id)
        if before is None or before.state not in ACTIVE:
            latest[decision.access_request_id] = decision
    return latest
