from django.db import models
from django.db.models import Q

from portal.people.models.groups import Group
from portal.people.models.people import Person
from portal.platform_writes.models import Item, ItemQuerySet, Run, RunQuerySet
from portal.tenants.managers import TenantManager


class Verb(models.TextChoices):
    """What happens to the people of a run."""

    ADD = "add", "Add to"
    REMOVE = "remove", "Remove from"


class GroupRunQuerySet(RunQuerySet["GroupRun"]):
    """Chains of runs."""


class GroupRun(Run):
    """People who are put into a group or taken out of it: the work that waits, and later what came of it."""

    verb = models.CharField(max_length=10, choices=Verb.choices)
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="runs")
    group_name = models.CharField(max_length=300)

    objects = TenantManager.from_queryset(GroupRunQuerySet)()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(finished_at=None), name="group_runs_to_do"),
            models.Index(fields=["group", "-id"], name="group_runs_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{Verb(self.verb).label} “{self.group_name}”"

    @property
    def nouns(self) -> tuple[str, str]:
        return "person", "people"


class GroupItemQuerySet(ItemQuerySet["GroupItem"]):
    def with_object(self) -> "GroupItemQuerySet":
        return self.select_related("person", "run__group").defer(
            "person__payload", "person__search", "run__group__payload", "run__group__search"
        )


class GroupItem(Item):
    """One person of a run. It goes with the person's row when they are erased: `words` may quote the platform."""

    run = models.ForeignKey(GroupRun, on_delete=models.CASCADE, related_name="items")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="items")

    objects = TenantManager.from_queryset(GroupItemQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["run", "person"], name="one_item_per_person_and_run")]
        indexes = [models.Index(fields=["run", "state", "id"], name="group_items_of_a_state")]

    def __str__(self) -> str:
        return str(self.person)
