"""A tenant is never removed past the door: its grant would live on at the platform, and nobody could end it any more."""

from typing import Any

from django.db.models import ProtectedError
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from portal.connections.models import Connection, State, Suspension
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope


@receiver(pre_delete, sender=Tenant, dispatch_uid="no_tenant_goes_with_a_living_grant")
def check_that_the_grant_has_ended(instance: Tenant, **_: Any) -> None:
    with tenant_scope(instance.pk):
        living = [*Connection.objects.exclude(state=State.DISCONNECTED), *Suspension.objects.filter(confirmed_at=None)]
    if living:
        raise ProtectedError("the platform has yet to confirm the end of this tenant's grant", set(living))
