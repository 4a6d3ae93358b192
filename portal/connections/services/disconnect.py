"""A clean exit: access ends here at once, the platform is told until it has confirmed, and a record stays."""

from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.models import AuthorizationRequest, Capability, Connection, ExitRecord, State, TokenRequest
from portal.connections.services import exit_records
from portal.connections.services.suspensions import queue_tokens
from portal.connections.signals import disconnected
from portal.page_refresh.services import touch_areas
from portal.users.dates import stored
from portal.users.models import User


@transaction.atomic
def disconnect(connection: Connection, *, actor: User, purge_at: datetime | None = None) -> ExitRecord | None:
    """Cut a tenant's grant in one commit: no token is left for calls, both wait sealed for the suspend call.

    With `purge_at` the copy of the platform's data is removed then; without it stays. A connection that is disconnected
    already keeps its record; only the date of the purge is changed.
    """
    row = Connection.objects.select_for_update().get(pk=connection.pk)
    exit_record = None
    if row.holds_grant:
        exit_record = _cut(row, actor=actor)
    if purge_at != row.purge_at:
        row.purge_at = purge_at
        words = f"The copy of the platform's data will be removed on {stored(purge_at)}." if purge_at else "The copy stays."
        record("connection.plan_purge", target=target_of(row), summary=words, actor=actor)
        if exit_record:
            exit_records.note(exit_record.pk, words)
    row.save()
    touch_areas("connection")
    return exit_record


def _cut(row: Connection, *, actor: User) -> ExitRecord:
    words = "Disconnected the platform; its tokens are being suspended."
    ended = "Access ended here: no token is left for any call."
    exit_record = exit_records.open_record(row.tenant, row, actor=actor, description=ended)
    queue_tokens(row, exit_record=exit_record)
    row.forget_tokens()
    row.state = State.DISCONNECTED
    TokenRequest.objects.all().delete()
    Capability.objects.all().delete()
    # Whoever is on the consent screen of this tenant has to start again.
    AuthorizationRequest.objects.filter(used_at=None).update(used_at=timezone.now())
    record("connection.disconnect", target=target_of(row), summary=words, actor=actor)
    transaction.on_commit(partial(disconnected.send, Connection, tenant_id=row.tenant_id))
    return exit_record


def target_of(row: Connection) -> tuple[str, str]:
    """Name a connection in the audit trail."""
    return "connection", str(row.source_id)
