"""A tenant has a new grant: what waited for one goes on. A membership ends: so does its calendar feed.

The database was put back to an earlier moment: what waited then may have been sent since.
"""

from typing import Any

from django.db.models import F
from django.db.models.signals import post_delete
from django.dispatch import receiver

from portal.backups.signals import restored
from portal.calendars import feeds
from portal.connections.signals import connected
from portal.contracts.models import ContractFeed, Removal, RemovalState, Upload, UploadState
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


@receiver(restored, dispatch_uid="verify_contracts_after_restore")
def verify_first(**_: Any) -> None:
    waiting = Upload.objects.filter(state=UploadState.WAITING)
    # A contract that is younger than the upload may have come of it.
    waiting.filter(in_doubt_since=None).update(in_doubt_since=F("uploaded_at"))
    waiting.update(state=UploadState.UNCERTAIN)
    Removal.objects.filter(state=RemovalState.WAITING).update(state=RemovalState.UNCERTAIN)
