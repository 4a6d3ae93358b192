from datetime import UTC, datetime
from typing import Any, Self

from django.db import models
from django.db.models import Q

from portal.incidents.models.incidents import Incident
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every deadline: a keyset page needs a column that is never NULL."""


class Rank(models.IntegerChoices):
    """What a customer's place in the plan comes from."""

    AT_ONCE = 10, "Immediately"
    DEADLINE = 20, "By a promise"
    STANDARD = 30, "Our standard"
    NOTHING = 40, "Nothing promised"


class State(models.TextChoices):
    """to tell -> told, or -> not needed. Both can be taken back; the log keeps that they were."""

    TO_TELL = "to-tell", "To notify"
    TOLD = "told", "Notified"
    NOT_NEEDED = "not-needed", "Not needed"


class Channel(models.TextChoices):
    """How a customer was told."""

    MAIL = "mail", "Email"
    PHONE = "phone", "Phone"
    PORTAL = "portal", "Their portal or form"
    LETTER = "letter", "Letter"
    MEETING = "meeting", "In a meeting"
    OTHER = "other", "Another way"


TONES = {State.TO_TELL.value: "warn", State.TOLD.value: "good", State.NOT_NEEDED.value: "muted"}
RANK_TONES = {Rank.AT_ONCE.value: "bad", Rank.DEADLINE.value: "info", Rank.STANDARD.value: "muted", Rank.NOTHING.value: "muted"}


class NoticeQuerySet(TenantQuerySet["Notice"]):
    """Chains of notices."""

    def in_plan(self) -> Self:
        return self.filter(left_at__isnull=True)

    def left(self) -> Self:
        """Those whose customers are no longer concerned."""
        return self.filter(left_at__isnull=False)

    def to_tell(self) -> Self:
        return self.in_plan().filter(state=State.TO_TELL)

    def late(self, now: datetime) -> Self:
        return self.to_tell().filter(due_sort__lt=now)

    def matching(self, words: str) -> Self:
        """Every word has to be there. Asked within one incident only, whose index leaves few rows to look at."""
        for part in words.casefold().split():
            self = self.filter(search__contains=part)
        return self


class Notice(TenantModel):
    """One customer of one incident: until when to tell them and by which promise, as it was when the plan was made."""

    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="notices")
    account_id = models.CharField(max_length=MAX_ID_LENGTH)
    customer = models.CharField(max_length=300)
    domain = models.CharField(max_length=320, blank=True)
    name_sort = models.CharField(max_length=300, blank=True)
    search = models.TextField(blank=True)

    rank = models.PositiveSmallIntegerField(choices=Rank.choices)
    due_at = models.DateTimeField(null=True)
    """Until when, at the latest; None: no moment is promised."""
    due_sort = models.DateTimeField(default=NEVER)
    tell_by = models.DateTimeField(default=NEVER)
    """What the plan is in the order of: the deadline, or the moment of the incident where it is to be at once."""
    warn_at = models.DateTimeField(null=True)
    """From when on it is near."""
    zone = models.CharField(max_length=60, blank=True)
    """Of the promise that counts."""
    notify = models.CharField(max_length=500, blank=True)
    """Whom to tell, as the promise that counts says."""
    promises = models.JSONField(default=list)
    """What was promised, the strictest first; see `plan.Counted.kept`. The others are shown beside it."""
    left_at = models.DateTimeField(null=True)
    """When the customer went out of the plan. The row stays: what was done about it was done."""

    state = models.CharField(max_length=12, choices=State.choices, default=State.TO_TELL)
    told_at = models.DateTimeField(null=True)
    way = models.CharField(max_length=10, choices=Channel.choices, blank=True)
    note = models.CharField(max_length=500, blank=True)
    """Beside `loaded`: what was said; beside `not needed`: why."""
    settled_by_name = models.CharField(max_length=120, blank=True)
    settled_at = models.DateTimeField(null=True)
    """When somebody said so here."""

    warned_at = models.DateTimeField(null=True)
    missed_at = models.DateTimeField(null=True)
    """When the people of the incident were mailed that it is near, and that it has passed."""

    objects = TenantManager.from_queryset(NoticeQuerySet)()

    class Meta:
        ordering = ["tell_by", "due_sort", "name_sort", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "incident", "account_id"], name="one_notice_per_customer"),
            models.CheckConstraint(
                name="a_told_notice_says_when_and_how",
                condition=~Q(state=State.TOLD) | Q(told_at__isnull=False) & ~Q(way="") & ~Q(settled_by_name=""),
            ),
            models.CheckConstraint(
                name="a_notice_that_is_not_needed_says_why", condition=~Q(state=State.NOT_NEEDED) | ~Q(note="")
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "incident", "tell_by", "due_sort", "name_sort", "id"], name="notices_in_order"),
            models.Index(
                fields=["tenant", "incident", "state", "tell_by", "due_sort", "name_sort", "id"], name="notices_of_a_state"
            ),
            models.Index(fields=["tenant", "account_id"], name="notices_of_account"),
            models.Index(fields=["warn_at"], condition=Q(state=State.TO_TELL), name="notices_to_warn_of"),
        ]

    def __str__(self) -> str:
        return self.customer

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    @property
    def rank_tone(self) -> str:
        return RANK_TONES.get(self.rank, "muted")

    @property
    def is_to_tell(self) -> bool:
        return self.state == State.TO_TELL

    @property
    def is_told(self) -> bool:
        return self.state == State.TOLD

    @property
    def is_at_once(self) -> bool:
        return self.rank == Rank.AT_ONCE

    @property
    def counts(self) -> dict[str, Any] | None:
        """The promise that counts, as it was kept; None: there is none."""
        return self.promises[0] if self.promises and self.promises[0]["applies"] else None

    @property
    def others(self) -> list[dict[str, Any]]:
        """The promises beside the one that counts, and those about other data."""
        promises: list[dict[str, Any]] = self.promises
        return promises[1:] if self.counts else promises
