"""The fail-closed manager and the base model of every row that belongs to a tenant."""

from collections.abc import Iterable
from typing import Any

from django.db import models

from portal.lib.row_locks import RowLockQuerySet
from portal.tenants.scope import ALL_TENANTS, NoTenantScope, WrongTenant, person_in_scope, scope


class TenantQuerySet[M: "TenantModel"](RowLockQuerySet[M]):
    """A queryset that never moves a row to another tenant."""

    def update(self, **values: Any) -> int:
        if "tenant" in values or "tenant_id" in values:
            raise WrongTenant("a row never changes its tenant")
        return super().update(**values)

    update.alters_data = True  # type: ignore[attr-defined]

    def bulk_create(self, objs: Iterable[M], *args: Any, **options: Any) -> list[M]:
        rows = list(objs)
        for row in rows:
            row.claim_for_scope()
        return super().bulk_create(rows, *args, **options)


class TenantManager[M: "TenantModel"](models.Manager[M]):
    """Hands out rows of the tenant in scope only; outside of any scope it raises."""

    def get_queryset(self) -> models.QuerySet[M]:
        tenant_id = scope()
        if tenant_id is None:
            raise NoTenantScope(f"{self.model.__name__} was queried outside of a tenant scope")
        queryset = super().get_queryset()
        return queryset if tenant_id == ALL_TENANTS else queryset.filter(tenant_id=tenant_id)


class OwnRowManager[M: "TenantModel"](TenantManager[M]):
    """Hands out a person's own rows too, where it is asked which tenants they are in (`person_scope`)."""

    def get_queryset(self) -> models.QuerySet[M]:
        person = person_in_scope()
        # Past the rule of the tenants: its rows are of several.
        return super().get_queryset() if person is None else models.Manager.get_queryset(self).filter(user_id=person)


class TenantModel(models.Model):
    """A row that belongs to a tenant. Not reachable from the tenant (`related_name="+"`), so no join goes around the scope."""

    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+")

    objects = TenantManager.from_queryset(TenantQuerySet)()

    class Meta:
        abstract = True
        base_manager_name = "objects"
        default_manager_name = "objects"

    def claim_for_scope(self) -> None:
        """Give a new row the tenant in scope. Raises when the row is of another tenant."""
        tenant_id = scope()
        if tenant_id is None:
            raise NoTenantScope(f"{type(self).__name__} was written outside of a tenant scope")
        is_new: bool = self.tenant_id is None
        if is_new and tenant_id != ALL_TENANTS:
            self.tenant_id = tenant_id
        if tenant_id not in (ALL_TENANTS, self.tenant_id):
            raise WrongTenant(f"{type(self).__name__} of tenant {self.tenant_id} in the scope of tenant {tenant_id}")

    def save(self, *args: Any, **options: Any) -> None:
        self.claim_for_scope()
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        self.claim_for_scope()
        return super().delete(*args, **options)
