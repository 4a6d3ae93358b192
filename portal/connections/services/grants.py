"""Saving what the platform granted, and finding out of which account it is."""

from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.models import Connection, State
from portal.connections.services.accounts import Identity, clash, identify, remember
from portal.connections.services.clients import bare_client
from portal.connections.services.suspensions import queue_tokens
from portal.connections.signals import connected
from portal.lib.sealed import Locked
from portal.live.services import changed
from portal.platform_api.oauth import TokenAnswer
from portal.users.models import User


def save_grant(connection: Connection, answer: TokenAnswer, *, actor: User, asked_at: datetime) -> Connection:
    """Keep a grant at once, then look whose it is; it is used only once that is settled.

    `connection` carries the region, the kind of grant and its application; everything else is read anew. The grant stays
    unconfirmed when it is of an account that is connected elsewhere here, or of another one than before.
    """
    connection = _keep(connection, answer, actor=actor, asked_at=asked_at)
    identity = identify(bare_client(connection.region, answer.access_token))
    return settle(connection, identity, actor=actor)


@transaction.atomic
def _keep(connection: Connection, answer: TokenAnswer, *, actor: User, asked_at: datetime) -> Connection:
    row = Connection.objects.select_for_update().get(pk=connection.pk)
    if row.holds_grant and row.grant_type != connection.grant_type:
        # Of another application: the new grant does not supersede it, and nobody would ever end it.
        queue_tokens(row)
    row.region, row.grant_type, row.scopes = connection.region, connection.grant_type, connection.scopes
    row.client_id, row.client_secret = connection.client_id, connection.client_secret
    row.generation += 1
    row.access_token = row.seal("access_token", answer.access_token)
    row.refresh_token = row.seal("refresh_token", answer.refresh_token or "")
    row.previous_refresh_token = b""
    row.access_expires_at = asked_at + timedelta(seconds=answer.expires_in)
    row.connected_by, row.connected_at, row.refreshed_at = actor, asked_at, asked_at
    row.attempted_at = row.current_refused_at = row.refused_at = row.lease_until = row.ended_at = row.purge_at = None
    row.probed_at = None
    row.lease_owner = row.last_error = ""
    row.failures = 0
    row.state = State.UNCONFIRMED
    row.save()
    words = f"Connected the platform ({row.get_region_display()}, {row.get_grant_type_display().lower()})."
    record("connection.connect", target=("connection", str(row.source_id)), summary=words, actor=actor)
    changed("connection")
    return row


@transaction.atomic
def settle(connection: Connection, identity: Identity, *, actor: User, is_confirmed: bool = False) -> Connection:
    """Put a grant to use, unless its account gives reason to ask first."""
    row = Connection.objects.select_for_update().get(pk=connection.pk)
    if row.state != State.UNCONFIRMED:
        return row
    doubt = "" if is_confirmed else clash(identity)
    row.account = identity.words[:200] or row.account
    if doubt:
        row.last_error, row.last_error_at = doubt[:300], timezone.now()
        row.save(update_fields=["account", "last_error", "last_error_at"])
    else:
        row.state, row.last_error = State.ACTIVE, ""
        row.save(update_fields=["account", "state", "last_error"])
        remember(identity)
        transaction.on_commit(partial(connected.send, Connection, tenant_id=row.tenant_id))
    if is_confirmed:
        words = "Confirmed that this is the right account."
        record("connection.confirm", target=("connection", str(row.source_id)), summary=words, actor=actor)
    changed("connection")
    return row


def confirm(connection: Connection, *, actor: User) -> Connection:
    """An owner has looked at the account and means it: the grant is put to use."""
    try:
        identity = identify(bare_client(connection.region, connection.open("access_token")))
    except Locked:
        identity = Identity()
    return settle(connection, identity, actor=actor, is_confirmed=True)
