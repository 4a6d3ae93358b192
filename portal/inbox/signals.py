"""A grant that has just begun: its first comparison starts at once. A token that has just arrived: what waited goes on.

Somebody is no longer an admin: the others hear that this person may know the secrets.
"""

from typing import Any

from django.dispatch import receiver

from portal.connections.signals import connected, token_arrived
from portal.inbox import services
from portal.inbox.routes import MIRRORS
from portal.inbox.tasks import RECONCILE
from portal.lib import enqueue
from portal.members.signals import admin_lost
from portal.sync import wake
from portal.sync.services import resume, start_reconcile
from portal.tenants.scope import tenant_scope
from portal.users.models import User


@receiver(connected, dispatch_uid="start_the_first_comparison")
def start_comparing(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        start_reconcile(MIRRORS)
        enqueue.enqueue_on_commit(RECONCILE, tenant_id)


@receiver(token_arrived, dispatch_uid="go_on_with_the_token")
def go_on(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        resume()
        wake.wake_drain()
        enqueue.enqueue_on_commit(RECONCILE, tenant_id)


@receiver(admin_lost, dispatch_uid="tell_of_known_endpoint_secrets")
def tell_of_known_secrets(user: User, **_: Any) -> None:
    services.tell_of_known_secrets(user)
