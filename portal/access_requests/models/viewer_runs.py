from django.db import models
from django.db.models import Q

from portal.access_requests.models.viewers import Viewer
from portal.access_requests.viewer_changes import ViewerChange, ViewerVerb
from portal.platform_writes.models import Item, ItemQuerySet, ItemState, Run, RunQuerySet
from portal.tenants.managers import TenantManager


class ViewerRunQuerySet(RunQuerySet["ViewerRun"]):
    """Chains of runs."""


class ViewerRun(Run):
    """One change that a person makes to viewers, be it one: the work that waits, and later what came of it."""

    verb = models.CharField(max_length=10, choices=ViewerVerb.choices)
    terms = models.JSONField(default=dict)
    """What belongs to the verb: `ViewerChange.terms`. Holds nothing about a person."""

    objects = TenantManager.from_queryset(ViewerRunQuerySet)()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(finished_at=None), name="viewer_runs_to_do"),
            models.Index(fields=["tenant", "-id"], name="viewer_runs_newest_first"),
        ]

    def __str__(self) -> str:
        return self.change.title

    @property
    def change(self) -> ViewerChange:
        return ViewerChange.from_terms(self.verb, self.terms)

    @property
    def nouns(self) -> tuple[str, str]:
        return "person", "people"


class ViewerItemQuerySet(ItemQuerySet["ViewerItem"]):
    def with_object(self) -> "ViewerItemQuerySet":
        return self.select_related("viewer").defer("viewer__payload", "viewer__search")


class ViewerItem(Item):
    """One viewer of a run. It goes with the viewer's row when the person is erased: `words` may quote the platform."""

    run = models.ForeignKey(ViewerRun, on_delete=models.CASCADE, related_name="items")
    viewer = models.ForeignKey(Viewer, on_delete=models.CASCADE, related_name="items")

    objects = TenantManager.from_queryset(ViewerItemQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["run", "viewer"], name="one_item_per_viewer_and_run")]
        indexes = [models.Index(fields=["run", "state", "id"], name="viewer_items_of_a_state")]

    def __str__(self) -> str:
        return str(self.viewer)

    @property
    def state_label(self) -> str:
        is_unsent = self.state == ItemState.FAILED and self.run.verb == ViewerVerb.REMIND and not self.is_unconfirmed
        return "Not sent" if is_unsent else super().state_label
