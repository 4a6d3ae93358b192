"""A tenant has a new grant: the exports that waited for one are looked at."""

from typing import Any

from django.dispatch import receiver

from portal.connections.signals import connected
from portal.questionnaires.services.export_looking import wake_exports
from portal.tenants.scope import tenant_scope


@receiver(connected, dispatch_uid="look_at_waiting_exports")
def look_at_waiting(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        wake_exports()
