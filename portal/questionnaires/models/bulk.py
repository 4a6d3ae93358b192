from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.utils import timezone

from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models.questionnaire import Questionnaire
from portal.questionnaires.models.response import Response
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

LEASE = timedelta(seconds=150)
"""How long a worker owns a run; longer than the longest task (120 s), so that a live one is never robbed."""
MOST_ITEMS = 1000
"""In one run: the platform takes fifty calls a minute, so this is most of an hour."""
MOST_TRIES = 5
"""Answers that say nothing are waited out so often; then a person decides."""


class ItemState(models.TextChoices):
    """waiting -> working -> done, the good way.

    working -> uncertain: the platform may have done it; the next try looks first. working -> waiting: it has to be tried
    later. working -> failed: it said no, or nothing, too often; a person may have it tried again.
    """

    WAITING = "waiting", "Waiting"
    WORKING = "working", "Being changed"
    UNCERTAIN = "uncertain", "Being checked"
    DONE = "done", "Done"
    FAILED = "failed", "Not changed"


UNSETTLED = (ItemState.WAITING.value, ItemState.WORKING.value, ItemState.UNCERTAIN.value)
TONES = {"waiting": "muted", "working": "info", "uncertain": "warn", "done": "good", "failed": "bad"}


class BulkRunQuerySet(TenantQuerySet["BulkRun"]):
    def due(self, now: datetime) -> Self:
        """Those with work to do now that nobody has in hand."""
        free = Q(lease_until=None) | Q(lease_until__lte=now)
        return self.filter(free, finished_at=None, due_at__lte=now)


class BulkRun(TenantModel):
    """One change that a person makes to many questionnaires or questions: the work that waits, and later what came of it."""

    action = models.CharField(max_length=10, choices=Action.choices)
    owner_id = models.CharField(max_length=200, blank=True)
    owner_name = models.CharField(max_length=200, blank=True)
    owner_type = models.CharField(max_length=20, default="User")
    new_due_at = models.DateTimeField(null=True)
    """The due date that the questionnaires get, or the inner one of the questions."""
    note = models.TextField(blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_by_name = models.CharField(max_length=120)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(default=timezone.now)
    """When there is something to do again."""
    turn = models.PositiveIntegerField(default=0)
    """Tells who owns the run: an outcome is written only while the number is still that of its worker's turn."""
    lease_until = models.DateTimeField(null=True)
    wait_words = models.CharField(max_length=300, blank=True)
    """Why it pauses, in words for people."""

    objects = TenantManager.from_queryset(BulkRunQuerySet)()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(finished_at=None), name="bulk_runs_to_do"),
            models.Index(fields=["tenant", "-id"], name="bulk_runs_newest_first"),
        ]

    def __str__(self) -> str:
        return self.change.title

    @property
    def change(self) -> Change:
        owner = {"owner_id": self.owner_id, "owner_name": self.owner_name, "owner_type": self.owner_type}
        return Change(action=self.action, due_at=self.new_due_at, note=self.note, **owner)

    @property
    def is_over(self) -> bool:
        return self.finished_at is not None


@dataclass(frozen=True)
class Counts:
    """How far a run has come."""

    total: int
    done: int
    failed: int

    @property
    def settled(self) -> int:
        return self.done + self.failed

    @property
    def left(self) -> int:
        return self.total - self.settled


class BulkItemQuerySet(TenantQuerySet["BulkItem"]):
    def to_do(self) -> Self:
        return self.filter(state__in=UNSETTLED)

    def failed(self) -> Self:
        return self.filter(state=ItemState.FAILED)

    def counts(self) -> Counts:
        numbers = dict(self.order_by().values_list("state").annotate(number=Count("id")))
        return Counts(sum(numbers.values()), numbers.get(ItemState.DONE, 0), numbers.get(ItemState.FAILED, 0))

    def held(self, item: "BulkItem") -> Self:
        """The row, while its run still counts the turn that has it in hand."""
        return self.to_do().filter(pk=item.pk, run__turn=item.run.turn)


class BulkItem(TenantModel):
    """One questionnaire of a run, or one question of it."""

    run = models.ForeignKey(BulkRun, on_delete=models.CASCADE, related_name="items")
    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="+")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, null=True, related_name="+")
    """The question, in a run that changes questions."""
    state = models.CharField(max_length=10, choices=ItemState.choices, default=ItemState.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    is_in_doubt = models.BooleanField(default=False)
    """A call may have left whose outcome nobody knows: whoever goes on looks first."""
    words = models.CharField(max_length=300, blank=True)
    """Why it was not changed, in words for people."""

    objects = TenantManager.from_queryset(BulkItemQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "questionnaire"], condition=Q(response=None), name="one_item_per_questionnaire_and_run"
            ),
            models.UniqueConstraint(fields=["run", "response"], name="one_item_per_response_and_run"),
        ]
        indexes = [models.Index(fields=["run", "state", "id"], name="bulk_items_of_a_state")]

    def __str__(self) -> str:
        return str(self.response or self.questionnaire)

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")
