"""A tenant has a new grant: the uploads that waited for one go out."""

from typing import Any

from django.dispatch import receiver

from portal.connections.signals import connected
from portal.contracts.services import wake_uploads
from portal.tenants.scope import tenant_scope


@receiver(connected, dispatch_uid="send_waiting_contracts")
def send_waiting(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        wake_uploads()
