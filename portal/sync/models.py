from datetime import timedelta
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.managers import TenantManager, TenantModel, TenantQuerySet

LEASE = timedelta(seconds=150)
"""How long a worker owns what it has claimed; longer than the longest task (120 s), so that a live one is never robbed."""


class StaleMarkQuerySet(TenantQuerySet["StaleMark"]):
    """Chains of marks."""

    def waiting(self) -> Self:
        return self.filter(due_at__isnull=False)

    def due(self) -> Self:
        now = timezone.now()
        return self.filter(Q(lease_until=None) | Q(lease_until__lt=now), due_at__lte=now)

    def unreadable(self) -> Self:
        return self.exclude(problem="")


class StaleMark(TenantModel):
    """One object that has to be fetched again. Stays for a while after it was, to tell when that happened last."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=40)
    object_id = models.CharField(max_length=MAX_ID_LENGTH)
    urgent = models.BooleanField(default=False)
    marked_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, default=timezone.now)
    """When it is next to be fetched; empty once it was."""
    version = models.PositiveIntegerField(default=1)
    """Raised with every mark: one that is made while the object is being fetched is not lost."""
    fetched_at = models.DateTimeField(null=True)
    """When the last fetch that counted began: what is older must not overwrite it (guarantee Q11)."""
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    problem = models.CharField(max_length=300, blank=True, default="", db_default="")
    """Why the object cannot be read, as its list or its own fetch showed it; empty once it was (guarantee Q14)."""
    missing_since = models.DateTimeField(null=True)
    """When the platform first said that there is no such object, until it is fetched or counts as gone (guarantee Q15)."""
    lease_owner = models.CharField(max_length=36, blank=True)
    lease_until = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(StaleMarkQuerySet)()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "kind", "object_id"], name="one_mark_per_object")]
        indexes = [
            # As they are claimed: those that people wait for first.
            models.Index(
                fields=["tenant", "-urgent", "due_at", "id"], condition=Q(due_at__isnull=False), name="marks_to_claim"
            ),
            models.Index(fields=["tenant", "kind"], condition=~Q(problem=""), name="marks_of_unreadable_objects"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"


class RunState(models.TextChoices):
    """queued -> running -> done; paused continues automatically, blocked waits for a person, failed is tried again."""

    QUEUED = "queued", "Waiting to start"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    BLOCKED = "blocked", "Blocked"
    FAILED = "failed", "Failed"
    DONE = "done", "In sync"


class RunQuerySet(TenantQuerySet["Run"]):
    """Chains of runs."""

    def due(self) -> Self:
        now = timezone.now()
        return self.filter(Q(lease_until=None) | Q(lease_until__lt=now), next_due_at__lte=now)


class Run(TenantModel):
    """The comparison of one kind with the platform's whole list: where it stands now, and what the last one found."""

    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=80)
    area = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.QUEUED)
    cursor = models.TextField(blank=True)
    trail = models.JSONField(default=dict)
    """Where the walk over the pages has been (`platform_api.trails`)."""
    nameless = models.PositiveIntegerField(default=0)
    """Items of the list that could not be read, not even their ids: what no page named is not gone then."""
    restarts = models.PositiveIntegerField(default=0)
    """How often this comparison had to begin again at the first page."""
    is_listed = models.BooleanField(default=False)
    """The last page was read; what is left is to look at each row that no page named."""
    unseen = models.JSONField(default=list)
    """Where the last release keeps what `UnseenRow` holds: taken from here when a comparison was begun by it."""
    seen = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    gone = models.PositiveIntegerField(default=0)
    missed = models.PositiveIntegerField(default=0)
    """Changes that no event had told us of."""
    compared_since = models.DateTimeField(null=True)
    """When the comparison before this one ended: what this one finds has happened since."""
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    next_due_at = models.DateTimeField(default=timezone.now)
    lease_owner = models.CharField(max_length=36, blank=True)
    lease_until = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(RunQuerySet)()

    class Meta:
        ordering = ["position", "kind"]
        constraints = [models.UniqueConstraint(fields=["tenant", "kind"], name="one_run_per_kind")]
        indexes = [models.Index(fields=["tenant", "next_due_at"], name="runs_to_do")]

    def __str__(self) -> str:
        return f"{self.title}: {self.get_state_display()}"

    @property
    def is_begun(self) -> bool:
        """Say whether a comparison is under way, also where it waits. One that is blocked may have ended, or never begun."""
        return self.state != RunState.DONE and self.started_at is not None and self.finished_at == self.compared_since

    @property
    def is_first(self) -> bool:
        return self.finished_at is None


class UnseenRow(TenantModel):
    """A row that was present when the comparison of its kind began, and that no page has named yet."""

    # The index below begins with it, and every index costs each write: a comparison writes one for each row that is present.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=40)
    object_id = models.CharField(max_length=MAX_ID_LENGTH)

    class Meta:
        # It finds what a page names, and what is looked at next.
        constraints = [models.UniqueConstraint(fields=["tenant", "kind", "object_id"], name="one_unseen_row_per_object")]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"


class Finding(models.TextChoices):
    """What a comparison found that nothing had told us of."""

    CHANGED = "changed", "New or changed"
    GONE = "gone", "Gone"


class MissedChange(TenantModel):
    """A change that no event told of, found by comparing. Kept for a while: the report of what the feed left out."""

    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=80)
    object_id = models.CharField(max_length=MAX_ID_LENGTH)
    finding = models.CharField(max_length=10, choices=Finding.choices)
    compared_since = models.DateTimeField(null=True)
    """The change has happened after this."""
    found_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["tenant", "-id"], name="missed_changes_newest"),
            models.Index(fields=["found_at"], name="missed_changes_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.object_id}"


class ListPosition(TenantModel):
    """How far a list that only grows has been read: set when a reading came to its end, and only then."""

    kind = models.CharField(max_length=40)
    newest_at = models.DateTimeField(null=True)
    """The latest date of what was read."""
    whole_at = models.DateTimeField(null=True)
    """When the last reading began that looked at more than the news."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "kind"], name="one_position_per_list")]

    def __str__(self) -> str:
        return self.kind
