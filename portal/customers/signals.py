"""A tenant has a new grant: the customers whose creation waited for one are looked for."""

from typing import Any

from django.dispatch import receiver

from portal.connections.signals import connected
from portal.customers.services import wake_creations
from portal.tenants.scope import tenant_scope


@receiver(connected, dispatch_uid="look_for_new_customers")
def verify_waiting(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        wake_creations()
