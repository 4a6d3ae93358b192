from datetime import UTC, datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q

from portal.tenants.managers import TenantManager
from portal.tenants.models import Role, Tenant, TenantModel, TenantQuerySet

AREA = "work_items"
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every deadline: a keyset page needs a column that is never NULL."""
ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)
NEAR = timedelta(days=1)
"""An item is near so long before its time: what notes that it is may be late by as much."""
IS_NEAR = Q(is_near=True)
UNASSIGNED = Q(owner=None, is_taken=False, is_with_others=False)


class WorkItemQuerySet(TenantQuerySet["WorkItem"]):
    """Chains of work items."""

    def visible(self, now: datetime) -> Self:
        """Those whose time has come, and has not passed."""
        # Only those that are near stand in the indexes: most of the others are of contracts that end in years.
        return self.filter(is_near=True, visible_from__lte=now, visible_until__gt=now)

    def awake_for(self, user_id: int, now: datetime) -> Self:
        """Leave out what this person has snoozed."""
        # As a list that is made once: asked for each row, it took longer than all the rest of a count.
        return self.exclude(pk__in=Snooze.objects.filter(user=user_id, until__gt=now).values("item"))

    def snoozed_by(self, user_id: int, now: datetime) -> Self:
        return self.filter(Exists(Snooze.objects.filter(item=OuterRef("pk"), user=user_id, until__gt=now)))

    def of_member(self, user_id: int, role: int) -> Self:
        """Those that this person has, waits for, or can take."""
        return self.filter(Q(owner=user_id) | Q(asked_by=user_id) | UNASSIGNED & Q(role__lte=role))


class WorkItem(TenantModel):
    """One thing to do about one object of a desk. Says when and who; what it says in words is asked of the desk."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=40)
    object_id = models.BigIntegerField()
    """The key of the desk's row."""
    due_sort = models.DateTimeField(default=NEVER)
    visible_from = models.DateTimeField(default=ALWAYS)
    visible_until = models.DateTimeField(default=NEVER)
    """From when on, and until when, there is something to do."""
    is_near = models.BooleanField(default=True, db_default=True)
    """Its time has come or comes soon, and has not passed; a moment may pass before it is noted that it has."""
    turns_at = models.DateTimeField(null=True)
    """When `is_near` will be another, or its time comes."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """Who has to do it."""
    is_taken = models.BooleanField(default=False)
    """Somebody has it; where `owner` is empty, somebody who is no member here."""
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """Who waits for it."""
    is_with_others = models.BooleanField(default=False)
    """Nobody of the tenant can do it now: the platform works on it, or somebody outside was asked."""
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.ANALYST)
    """The least role that can do it."""
    arrived_at = models.DateTimeField()
    """When it came, or came to its present owner."""

    objects = TenantManager.from_queryset(WorkItemQuerySet)()

    class Meta:
        ordering = ["due_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "kind", "object_id"], name="one_work_item_per_object")]
        indexes = [
            models.Index(
                # The last two order nothing: with them a count reads the index alone.
                fields=["tenant", "is_with_others", "due_sort", "id", "visible_from", "visible_until"],
                condition=IS_NEAR,
                name="near_items_of_team",
            ),
            models.Index(fields=["tenant", "owner", "due_sort", "id"], condition=IS_NEAR, name="near_items_of_owner"),
            models.Index(fields=["tenant", "asked_by", "id"], condition=IS_NEAR, name="near_items_waited_for"),
            models.Index(
                fields=["tenant", "role", "due_sort", "id"], condition=IS_NEAR & UNASSIGNED, name="near_items_to_take"
            ),
            models.Index(fields=["due_sort"], condition=Q(is_with_others=False), name="work_items_by_due_moment"),
            models.Index(fields=["turns_at"], condition=Q(turns_at__isnull=False), name="work_items_that_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"

    def set_near(self, now: datetime) -> None:
        """Note whether its time is near, and when that will be otherwise or its time comes."""
        is_far = self.visible_from > now + NEAR
        self.is_near = not is_far and self.visible_until > now
        if is_far:
            self.turns_at = self.visible_from - NEAR
        elif self.is_near and self.visible_from > now:
            self.turns_at = self.visible_from
        else:
            self.turns_at = self.visible_until if self.is_near and self.visible_until < NEVER else None

    @property
    def is_ahead(self) -> bool:
        """Say whether nobody has noted yet that its time has come: then it is news."""
        return self.turns_at is not None and self.turns_at <= self.visible_from

    def is_to_take(self, now: datetime) -> bool:
        """Say whether anybody of the tenant whose role allows it can do it now."""
        return not self.owner_id and not self.is_taken and self._is_to_do(now)

    def is_given(self, now: datetime) -> bool:
        """Say whether a member of the tenant has it and can do it now."""
        return bool(self.owner_id) and self._is_to_do(now)

    def _is_to_do(self, now: datetime) -> bool:
        return not self.is_with_others and self.visible_from <= now < self.visible_until


class Change(TenantModel):
    """An object whose work item may be out of date. Written by the triggers on the desks' tables, removed when caught up."""

    # A row may outlive its tenant by a moment: triggers write while the tenant's rows go.
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    kind = models.CharField(max_length=40)
    object_id = models.BigIntegerField()
    """0: every object of the kind. A negative one: those behind it, of a pass over all of them that has come so far."""

    class Meta:
        indexes = [models.Index(fields=["tenant", "id"], name="work_item_changes_in_order")]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"


class Pass(TenantModel):
    """The lock under which the changes of a tenant are worked off, and how far two other looks at its items have come."""

    compared_at = models.DateTimeField(null=True)
    """When they were last compared with the desks."""
    overdue_until = models.DateTimeField(null=True)
    """What was due by then was told."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_work_item_pass_per_tenant")]

    def __str__(self) -> str:
        return f"compared {self.compared_at}"


class Snooze(TenantModel):
    """An item that one person does not want to see for a while."""

    item = models.ForeignKey(WorkItem, on_delete=models.CASCADE, related_name="snoozes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "user"], name="one_snooze_per_item_and_person")]

    def __str__(self) -> str:
        return f"until {self.until:%Y-%m-%d}"


class Visit(TenantModel):
    """When one person last looked at the work of a tenant, and when they had left before."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    seen_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)
    """What came after this is new to them."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_visit_per_member")]

    def __str__(self) -> str:
        return f"seen {self.seen_at:%Y-%m-%d %H:%M}"
