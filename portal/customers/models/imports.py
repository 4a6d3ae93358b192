from django.db import models
from django.db.models import Q

from portal.platform_writes.models import Item, ItemQuerySet, ItemState, Run, RunQuerySet
from portal.tenants.managers import TenantManager


class ImportRunQuerySet(RunQuerySet["ImportRun"]):
    """Chains of imports."""


class ImportRun(Run):
    """Customers out of a file that a person has confirmed: the work that waits, and later what came of it."""

    filename = models.CharField(max_length=255)

    objects = TenantManager.from_queryset(ImportRunQuerySet)()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["due_at"], condition=Q(finished_at=None), name="customer_imports_to_do")]

    def __str__(self) -> str:
        return f"Import of {self.filename}"

    @property
    def nouns(self) -> tuple[str, str]:
        return "customer", "customers"


class ImportItemQuerySet(ItemQuerySet["ImportItem"]):
    """Chains of lines."""


class ImportItem(Item):
    """One customer of an import. What came of its call is told by the `NewCustomer` of the same key."""

    run = models.ForeignKey(ImportRun, on_delete=models.CASCADE, related_name="items")
    name = models.CharField(max_length=300)
    domain = models.CharField(max_length=320)

    objects = TenantManager.from_queryset(ImportItemQuerySet)()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["run", "state", "id"], name="customer_import_items_of_state")]

    def __str__(self) -> str:
        return self.name

    @property
    def state_label(self) -> str:
        own = {ItemState.WORKING: "Being created", ItemState.DONE: "Created", ItemState.FAILED: "Not created"}
        return super().state_label if self.is_unconfirmed else own.get(ItemState(self.state), super().state_label)
