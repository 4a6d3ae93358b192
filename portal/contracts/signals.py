"""A tenant has a new grant: what waited for one goes on. A membership ends: so does its calendar feed."""

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from portal.calendars import feeds
from portal.connections.signals import connected
from portal.contracts.models import ContractFeed
from portal.contracts.services import wake_removals, wake_uploads
from portal.tenants.models import Membership
from portal.tenants.scope import tenant_scope


@receiver(connected, dispatch_uid="send_waiting_contracts")
def send_waiting(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        wake_uploads()
        wake_removals()


@receiver(post_delete, sender=Membership, dispatch_uid="end_contract_feed")
def end_feed(instance: Membership, **_: Any) -> None:
    feeds.end_feed(ContractFeed, instance)
