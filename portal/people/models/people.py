from datetime import UTC, datetime
from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from portal.lib.unnamed import named
from portal.people.models.choices import status_pill, task_pill
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel

NO_DATE = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every date: a keyset page needs a column that is never NULL."""
SMALL = 500
"""Members of a group that are named one by one; of a larger one a walk in the order of the list meets enough soon."""


class PersonQuerySet(SearchedQuerySet["Person"]):
    """Chains of people."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def of_person(self, folded_email: str) -> Self:
        return self.filter(folded_email=folded_email)

    def in_group(self, group_id: str) -> Self:
        """Those in a group. Costs the same for any size of the group and of the table; see `SMALL`."""
        inside = PersonInGroup.objects.filter(group_id=group_id)
        keys = list(inside.order_by().values_list("person_id", flat=True)[: SMALL + 1])
        if len(keys) <= SMALL:
            return self.filter(pk__in=keys)
        return self.filter(Exists(inside.filter(person=OuterRef("pk"))))

    def outside_of(self, group_id: str) -> Self:
        """Those who are not in a group."""
        inside = PersonInGroup.objects.filter(group_id=group_id)
        return self.filter(~Exists(inside.filter(person=OuterRef("pk"))))


class Person(SearchedModel):
    """Our copy of a person of the tenant. That somebody stands here lets nobody sign in."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    email = models.CharField(max_length=320, blank=True)
    folded_email = models.CharField(max_length=320, blank=True)
    name = models.CharField(max_length=300, blank=True)
    name_sort = models.CharField(max_length=300, blank=True)
    job_title = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=40, blank=True)
    """Of the employment. Free text: the platform adds values without notice."""
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    is_on_leave = models.BooleanField(default=False)
    has_planned_leave = models.BooleanField(default=False)
    leave_starts_at = models.DateTimeField(null=True)
    leave_ends_at = models.DateTimeField(null=True)
    tasks_status = models.CharField(max_length=40, blank=True)
    """Of the summary. Free text, too."""
    has_open_tasks = models.BooleanField(default=False)
    has_overdue_tasks = models.BooleanField(default=False)
    tasks_due_at = models.DateTimeField(null=True)
    tasks_due_sort = models.DateTimeField(default=NO_DATE)
    """When open tasks are due; behind every date where none is open."""
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(PersonQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_person")]
        indexes = [
            # The list, each of its filters in the order in which it is shown.
            models.Index(fields=["tenant", "name_sort", "id"], name="people_listed"),
            models.Index(fields=["tenant", "status", "name_sort", "id"], name="people_of_status"),
            models.Index(fields=["tenant", "tasks_status", "name_sort", "id"], name="people_of_task_status"),
            models.Index(fields=["tenant", "tasks_due_sort", "id"], name="people_by_due_tasks"),
            models.Index(fields=["tenant", "name_sort", "id"], condition=Q(is_on_leave=True), name="people_on_leave"),
            models.Index(
                fields=["tenant", "name_sort", "id"], condition=Q(has_planned_leave=True), name="people_leave_planned"
            ),
            models.Index(fields=["tenant", "name_sort", "id"], condition=Q(has_open_tasks=True), name="people_with_open_tasks"),
            models.Index(fields=["tenant", "name_sort", "id"], condition=Q(has_overdue_tasks=True), name="people_overdue"),
            models.Index(fields=["tenant", "folded_email"], name="people_of_address"),
        ]

    def __str__(self) -> str:
        return named(self.name, self.email)

    @property
    def employment(self) -> tuple[str, str]:
        return status_pill(self.status)

    @property
    def tasks(self) -> tuple[str, str]:
        return task_pill(self.tasks_status)

    @property
    def leave_label(self) -> str:
        return "On leave" if self.is_on_leave else "Leave planned" if self.has_planned_leave else ""


class PersonInGroup(TenantModel):
    """One person in one group. The group is named by its id: people are often read before the groups they are in."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="groups")
    group_id = models.CharField(max_length=MAX_ID_LENGTH)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["person", "group_id"], name="in_a_group_once")]
        indexes = [models.Index(fields=["tenant", "group_id", "person"], name="people_of_group")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.group_id}"
