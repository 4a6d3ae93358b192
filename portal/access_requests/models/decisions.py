from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.access_requests.models.requests import AccessRequest, Outcome
from portal.access_requests.models.words import level_label
from portal.tenants.models import TenantModel

ANSWER_TIME = timedelta(seconds=60)
"""Longer than a call and the look that follows it: a decision that is still being sent after this has lost its worker, and a
call without an answer is no longer on its way."""


class Verb(models.TextChoices):
    """What can be decided."""

    APPROVE = "approve", "Approved"
    DENY = "deny", "Denied"


OUTCOME_OF = {Verb.APPROVE.value: Outcome.APPROVED, Verb.DENY.value: Outcome.DENIED}


class DecisionState(models.TextChoices):
    """sending -> done | elsewhere | failed | unconfirmed; unconfirmed -> done | elsewhere | failed, by looking."""

    SENDING = "sending", "Being sent"
    UNCONFIRMED = "unconfirmed", "Not confirmed yet"
    DONE = "done", "Made"
    ELSEWHERE = "elsewhere", "Too late"
    FAILED = "failed", "Not made"


ACTIVE = (DecisionState.SENDING, DecisionState.UNCONFIRMED, DecisionState.DONE)
OPEN = (DecisionState.SENDING, DecisionState.UNCONFIRMED)


class Decision(TenantModel):
    """What one person decided about one request, from before the call leaves until its outcome is known."""

    access_request = models.ForeignKey(AccessRequest, on_delete=models.CASCADE, related_name="decisions")
    verb = models.CharField(max_length=10, choices=Verb.choices)
    terms = models.JSONField(default=dict)
    """What was granted: access_level, resources by title, expires_at, is_nda_required. Empty for a denial."""
    reason = models.TextField(blank=True)
    facts = models.JSONField(default=dict)
    """What the person saw when deciding. Holds no name and no address: those go when the person is erased."""
    state = models.CharField(max_length=12, choices=DecisionState.choices, default=DecisionState.SENDING)
    was_sent = models.BooleanField(default=False)
    """The platform may have got the call: if the request turns out decided this way, it was by this decision."""
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    decided_by_name = models.CharField(max_length=120)
    created_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)

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

    def __str__(self) -> str:
        return f"{self.get_verb_display()} by {self.decided_by_name}: {self.get_state_display()}"

    @property
    def expected_outcome(self) -> Outcome:
        return OUTCOME_OF[self.verb]

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def level_label(self) -> str:
        return level_label(self.terms.get("access_level", ""))

    @property
    def expires_at(self) -> datetime | None:
        text = self.terms.get("expires_at")
        return datetime.fromisoformat(text) if text else None

    def is_recent(self, now: datetime) -> bool:
        return self.created_at > now - ANSWER_TIME
