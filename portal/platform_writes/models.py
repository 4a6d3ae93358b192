"""What the bulk runs of all desks have in common. A desk adds what is changed, and the object of an item."""

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.utils import timezone

from portal.tenants.models import TenantModel, TenantQuerySet

LEASE = timedelta(seconds=150)
"""How long a worker owns a run; longer than the longest task (120 s), so that a live one is never robbed."""
MAX_ITEMS = 1000
"""In one run: the platform takes fifty calls a minute, so this is most of an hour."""
MAX_TRIES = 5
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


class RunQuerySet[M: "Run"](TenantQuerySet[M]):
    def due(self, now: datetime) -> Self:
        """Those with work to do now that nobody has in hand."""
        free = Q(lease_until=None) | Q(lease_until__lte=now)
        return self.filter(free, finished_at=None, due_at__lte=now)


class Run(TenantModel):
    """One change that a person makes to many objects: the work that waits, and later what came of it."""

    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_by_name = models.CharField(max_length=120)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(default=timezone.now)
    """When there is something to do again."""
    turn = models.PositiveIntegerField(default=0)
    """Tells who owns the run: an outcome is written only while the number is still that of its worker's turn."""
    lease_until = models.DateTimeField(null=True)
    wait_description = models.CharField(max_length=300, blank=True)
    """Why it pauses, in words for people."""

    class Meta:
        abstract = True

    @property
    @abstractmethod
    def nouns(self) -> tuple[str, str]:
        """Call one of the objects that it changes, and several of them."""

    def counted(self, number: int) -> str:
        return f"{number} {self.nouns[number != 1]}"

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


class ItemQuerySet[M: "Item"](TenantQuerySet[M]):
    def with_object(self) -> Self:
        """Bring along what a worker needs of the objects."""
        return self

    def to_do(self) -> Self:
        return self.filter(state__in=UNSETTLED)

    def failed(self) -> Self:
        return self.filter(state=ItemState.FAILED)

    def counts(self) -> Counts:
        numbers = dict(self.order_by().values_list("state").annotate(number=Count("id")))
        return Counts(sum(numbers.values()), numbers.get(ItemState.DONE, 0), numbers.get(ItemState.FAILED, 0))

    def claimed(self, item: "Item", run: Run) -> Self:
        """The row, while its run still counts the turn that has it in hand."""
        return self.to_do().filter(pk=item.pk, run__turn=run.turn)


class Item(TenantModel):
    """One object of a run. A desk adds `run`, with the items as `items`, and the object."""

    state = models.CharField(max_length=10, choices=ItemState.choices, default=ItemState.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    is_in_doubt = models.BooleanField(default=False)
    """A call may have left whose outcome nobody knows: whoever goes on looks first."""
    description = models.CharField(max_length=300, blank=True)
    """Why it was not changed, in words for people."""

    class Meta:
        abstract = True

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    @property
    def is_unconfirmed(self) -> bool:
        """Whether it was given up in doubt: nobody can say that it was not changed."""
        return self.state == ItemState.FAILED and self.is_in_doubt

    @property
    def state_label(self) -> str:
        return "Not confirmed" if self.is_unconfirmed else ItemState(self.state).label
