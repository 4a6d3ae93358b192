"""A grant that has just begun: its first comparison starts at once."""

from typing import Any

from django.dispatch import receiver

from portal.connections.signals import connected
from portal.inbox.routes import MIRRORS
from portal.inbox.tasks import RECONCILE
from portal.lib import bell
from portal.sync.services import start_reconcile
from portal.tenants.scope import tenant_scope


@receiver(connected, dispatch_uid="start_the_first_comparison")
def start_comparing(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        start_reconcile(MIRRORS)
        bell.ring(RECONCILE, tenant_id)
