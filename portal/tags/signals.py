"""A tenant has a new grant: the switches whose outcome waited for one are looked for."""

from typing import Any

from django.dispatch import receiver

from portal.connections.signals import connected
from portal.tags.services import wake_switches
from portal.tenants.scope import tenant_scope


@receiver(connected, dispatch_uid="look_for_switches")
def verify_waiting(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        wake_switches()
