"""What goes when a tenant leaves: the copy of the platform's data on its date, and the tenant itself if it was deleted."""

import logging

from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from portal.audit.services import record
from portal.connections.models import Connection, ExitRecord, State, Suspension
from portal.connections.services import exit_records
from portal.connections.services.disconnect import disconnect, target_of
from portal.lib.counted import counted
from portal.page_refresh.services import touch_areas
from portal.tenants import offboarding
from portal.tenants.models import Membership, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.turns import serve_in_turn
from portal.users.models import User

logger = logging.getLogger(__name__)

NO_GRANT = "The tenant was deleted. It held no grant."


@transaction.atomic
def delete_tenant(tenant: Tenant, *, actor: User) -> ExitRecord:
    """Close a tenant for good: nobody opens it from now on, its grant is ended like any other, then its rows go.

    The tenant itself is removed once the platform has confirmed the end of the grant (`remove_closed_tenants`). The record of
    its exit is of whoever deletes it, also where somebody else had disconnected it before.
    """
    # A grant on its way is kept before this, and ended here, or finds the tenant closed (`grants`).
    Tenant.objects.select_for_update().get(pk=tenant.pk)
    connection = Connection.objects.first()
    exit_record = disconnect(connection, actor=actor, purge_at=timezone.now()) if connection else None
    if exit_record is None:
        was_connected = connection if connection and connection.connected_at else None
        exit_record = exit_records.open_record(tenant, was_connected, actor=actor, description=NO_GRANT)
    record("tenant.delete", target=("tenant", str(tenant.pk)), summary=f"Deleted the tenant {tenant}.", actor=actor)
    tenant.closed_at = timezone.now()
    tenant.save(update_fields=["closed_at"])
    Membership.objects.filter(tenant=tenant).delete()
    return exit_record


def purge_due() -> int:
    """Remove the copies whose date has come, as far as the time goes; return of how many tenants."""
    with all_tenants("purges are due over all tenants"):
        due = Connection.objects.filter(state=State.DISCONNECTED, purge_at__lte=timezone.now())
        turns = list(due.order_by("purge_at").values_list("tenant_id"))
    return serve_in_turn(turns, _purge, what="removing a copy")


def _purge() -> bool:
    """Remove the copy of the tenant in scope as long as it has to go; False when there was nothing to remove."""
    removed = offboarding.purge(may_go_on=lambda: _is_to_be_purged(_locked()))
    with transaction.atomic():
        row = _locked()
        if _is_to_be_purged(row):
            row.purge_at, row.slug_id, row.account = None, "", ""
            row.save(update_fields=["purge_at", "slug_id", "account"])
            words = f"Removed the copy of the platform's data: {counted(removed, 'row')}."
        elif removed:
            words = f"Removed a part of the copy of the platform's data: {counted(removed, 'row')}."
        else:
            return False
        record("connection.purge", target=target_of(row), summary=words)
        for exit_record in exit_records.records()[:1]:
            exit_records.note(exit_record.pk, words)
        touch_areas("connection")
    return True


def _locked() -> Connection:
    return Connection.objects.select_for_update().get()


def _is_to_be_purged(row: Connection) -> bool:
    """Say whether the copy still has to go: connecting again keeps it, and so does whoever changes their mind."""
    return row.state == State.DISCONNECTED and row.purge_at is not None and row.purge_at <= timezone.now()


def remove_closed_tenants(*, most: int = 5) -> int:
    """Remove the tenants that were deleted and whose grant the platform has confirmed to be ended; return how many."""
    with all_tenants("closed tenants are removed one by one"):
        waiting = Suspension.objects.filter(confirmed_at=None).values("tenant_id")
        to_purge = Connection.objects.exclude(purge_at=None).values("tenant_id")
        closed = list(Tenant.objects.exclude(closed_at=None).exclude(pk__in=waiting).exclude(pk__in=to_purge))
        removed = 0
        for tenant in closed:
            try:
                _remove(tenant)
            except Exception:  # one that cannot go must not keep the others here
                logger.exception("the closed tenant %s could not be removed", tenant.pk)
                continue
            removed += 1
            if removed == most:
                break
    return removed


def _remove(tenant: Tenant) -> None:
    tenant_id = tenant.pk
    kept = ExitRecord.objects.filter(tenant_id=tenant_id).first()
    with transaction.atomic():
        with tenant_scope(tenant_id):
            files = offboarding.stored_files()
        tenant.delete()
    for file in files:
        file.delete(save=False)
    if kept:
        _mail_record(kept)


def _mail_record(kept: ExitRecord) -> None:
    """Send the record of the exit to whoever deleted the tenant: there is no page left to show it on."""
    address = kept.content["ended_by"].rpartition("<")[2].rstrip(">")
    if not address:
        return
    text = render_to_string("connections/exit_record.txt", {"record": kept})
    try:
        send_mail(" ".join(f"{kept.content['tenant']} was deleted: exit record".split()), text, None, [address])
    except OSError:  # smtplib's errors are OSErrors
        logger.exception("the record %s could not be mailed; it is kept", kept.reference)
