from django.db import models
from django.db.models import Q

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.platform_writes.models import Item, ItemQuerySet, Run, RunQuerySet
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models.questionnaire import Questionnaire
from portal.questionnaires.models.response import Response
from portal.tenants.managers import TenantManager


class BulkRunQuerySet(RunQuerySet["BulkRun"]):
    """Chains of bulk runs."""


class BulkRun(Run):
    """One change that a person makes to many questionnaires or questions: the work that waits, and later what came of it."""

    action = models.CharField(max_length=10, choices=Action.choices)
    owner_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    owner_name = models.CharField(max_length=200, blank=True)
    owner_type = models.CharField(max_length=20, default="User")
    new_due_at = models.DateTimeField(null=True)
    """The due date that the questionnaires get, or the inner one of the questions."""
    note = models.TextField(blank=True)

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
    def nouns(self) -> tuple[str, str]:
        return self.change.noun, f"{self.change.noun}s"


class BulkItemQuerySet(ItemQuerySet["BulkItem"]):
    def with_object(self) -> "BulkItemQuerySet":
        rows = self.select_related("questionnaire", "response__questionnaire")
        return rows.defer("questionnaire__payload", "questionnaire__search")


class BulkItem(Item):
    """One questionnaire of a run, or one question of it."""

    run = models.ForeignKey(BulkRun, on_delete=models.CASCADE, related_name="items")
    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="+")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, null=True, related_name="+")
    """The question, in a run that changes questions."""

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
