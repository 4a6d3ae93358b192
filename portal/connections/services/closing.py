"""What goes when a tenant leaves: the copy of the platform's data on its date, and the tenant itself if it was deleted."""

import logging

from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from portal.audit.services import record
from portal.connections.models import Connection, ExitRecord, State, Suspension
from portal.connections.services import offboarding
from portal.connections.services.disconnect import disconnect, target_of
from portal.lib.counted import counted
from portal.page_refresh.services import touch_areas
from portal.tenants import leaving
from portal.tenants.models import Membership, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User

logger = logging.getLogger(__name__)


@transaction.atomic
def delete_tenant(tenant: Tenant, *, actor: User) -> ExitRecord | None:
    """Close a tenant for good: nobody opens it from now on, its grant is ended like any other, then its rows go.

    The tenant itself is removed once the platform has confirmed the end of the grant (`remove_closed_tenants`).
    """
    connection = Connection.objects.first()
    exit_record = disconnect(connection, actor=actor, purge_at=timezone.now()) if connection else None
    record("tenant.delete", target=("tenant", str(tenant.pk)), summary=f"Deleted the tenant {tenant}.", actor=actor)
    tenant.closed_at = timezone.now()
    tenant.save(update_fields=["closed_at"])
    Membership.objects.filter(tenant=tenant).delete()
    return exit_record


def purge_due(*, most: int = 5) -> int:
    """Remove the copies whose date has come; return of how many tenants."""
    with all_tenants("purges are due over all tenants"):
        due = Connection.objects.filter(state=State.DISCONNECTED, purge_at__lte=timezone.now())
        tenant_ids = list(due.order_by("purge_at").values_list("tenant_id", flat=True)[:most])
    for tenant_id in tenant_ids:
        with tenant_scope(tenant_id):
            _purge()
    return len(tenant_ids)


def _purge() -> None:
    removed = leaving.purge()
    with transaction.atomic():
        row = Connection.objects.select_for_update().get()
        if row.state != State.DISCONNECTED or row.purge_at is None:
            return
        row.purge_at, row.slug_id, row.account = None, "", ""
        row.save(update_fields=["purge_at", "slug_id", "account"])
        words = f"Removed the copy of the platform's data: {counted(removed, 'row')}."
        record("connection.purge", target=target_of(row), summary=words)
        for exit_record in offboarding.records()[:1]:
            offboarding.note(exit_record.pk, words)
        touch_areas("connection")


def remove_closed_tenants(*, most: int = 5) -> int:
    """Remove the tenants that were deleted and whose grant the platform has confirmed to be ended; return how many."""
    with all_tenants("closed tenants are removed one by one"):
        waiting = Suspension.objects.filter(confirmed_at=None).values("tenant_id")
        to_purge = Connection.objects.exclude(purge_at=None).values("tenant_id")
        closed = list(Tenant.objects.exclude(closed_at=None).exclude(pk__in=waiting).exclude(pk__in=to_purge)[:most])
        for tenant in closed:
            kept = ExitRecord.objects.filter(tenant_id=tenant.pk).first()
            tenant.delete()
            if kept:
                _mail_record(kept)
    return len(closed)


def _mail_record(kept: ExitRecord) -> None:
    """Send the record of the exit to whoever deleted the tenant: there is no page left to show it on."""
    address = kept.content["ended_by"].rpartition("<")[2].rstrip(">")
    if not address:
        return
    text = render_to_string("connections/exit_record.txt", {"record": kept})
    try:
        send_mail(f"{kept.content['tenant']} is deleted: the record", text, None, [address])
    except OSError:  # smtplib's errors are OSErrors
        logger.exception("the record %s could not be mailed; it is kept", kept.reference)
