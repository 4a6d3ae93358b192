"""Saving what the platform granted, and finding out of which account it is."""

import logging
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.models import Capability, Connection, State, TokenRequest
from portal.connections.services.accounts import Identity, clash, identify, is_another, remember
from portal.connections.services.clients import bare_client
from portal.connections.services.suspensions import queue_suspension, queue_tokens
from portal.connections.signals import connected
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api.oauth import TokenAnswer
from portal.tenants.models import Tenant
from portal.users.models import User

logger = logging.getLogger(__name__)

ANOTHER_GRANT = "Another account was connected in the meantime. Check this one."
REJECTED = "The most recently connected account was rejected."


class AlreadyAnswered(Exception):
    """Somebody else has confirmed or rejected the account meanwhile, or the connection is another one; nothing was changed."""

    def __init__(self, connection: Connection, *, is_same_grant: bool = True) -> None:
        words = f"Someone has already answered: {connection.get_state_display()}."
        super().__init__(words if is_same_grant else ANOTHER_GRANT)


def save_grant(connection: Connection, answer: TokenAnswer, *, actor: User, asked_at: datetime) -> Connection:
    """Keep a grant at once, then look whose it is; it is used only once that is settled.

    `connection` carries the region, the kind of grant and its application; everything else is read anew. The grant stays
    unconfirmed when it is of an account that is connected elsewhere here, or of another one than before. Of a tenant that was
    deleted while the grant was on its way nothing is used: its tokens are to be suspended, and it stays disconnected.
    """
    connection = _keep(connection, answer, actor=actor, asked_at=asked_at)
    if not connection.holds_grant:
        return connection
    identity = identify(bare_client(connection.region, answer.access_token))
    return activate(connection, identity, actor=actor)


@transaction.atomic
def _keep(connection: Connection, answer: TokenAnswer, *, actor: User, asked_at: datetime) -> Connection:
    # Before the connection, as whoever deletes a tenant does.
    tenant = Tenant.objects.select_for_update().get(pk=connection.tenant_id)
    row = Connection.objects.select_for_update().get(pk=connection.pk)
    if tenant.closed_at:
        queue_suspension(connection, answer.refresh_token or "", answer.access_token)
        logger.warning("a grant of tenant %s came after the tenant was deleted; it is being ended", tenant.pk)
        return row
    _end_replaced(row, following=connection, actor=actor)
    row.region, row.grant_type, row.scopes = connection.region, connection.grant_type, connection.scopes
    row.client_id, row.client_secret = connection.client_id, connection.client_secret
    row.generation += 1
    row.access_token = row.seal("access_token", answer.access_token)
    row.refresh_token = row.seal("refresh_token", answer.refresh_token or "")
    row.previous_refresh_token = b""
    row.access_expires_at = asked_at + timedelta(seconds=answer.expires_in)
    row.connected_by, row.connected_at, row.refreshed_at = actor, asked_at, asked_at
    row.attempted_at = row.current_refused_at = row.refused_at = row.lease_until = row.ended_at = row.purge_at = None
    # That the account before could ask for the Trust Center says nothing of this one.
    row.probed_at = row.probe_begun_at = row.slug_verified_at = None
    row.lease_owner = row.last_error = ""
    row.failures = 0
    row.state = State.UNCONFIRMED
    row.save()
    words = f"Connected the platform ({row.get_region_display()}, {row.get_grant_type_display().lower()})."
    record("connection.connect", target=("connection", str(row.source_id)), summary=words, actor=actor)
    touch_areas("connection")
    return row


def _end_replaced(row: Connection, *, following: Connection, actor: User) -> None:
    """Put the tokens of the grant that a new one replaces aside for the suspend call (guarantee R7).

    The platform keeps both: its refresh token would live on, and nobody here could end it any more. A new token of the same own
    application is no other grant, and what the platform has ended already needs no end.
    """
    is_same = row.is_own_application and (row.client_id, row.region) == (following.client_id, following.region)
    is_over = row.state == State.NEEDS_RECONNECTION and not row.is_own_application
    if not row.holds_grant or is_same or is_over:
        return
    queue_tokens(row)
    # What was known of it says nothing of the next one.
    Capability.objects.all().delete()
    words = f"Replaced the grant of {row.account or 'the account before'} ({row.get_region_display()}); it is being ended."
    record("connection.replace", target=("connection", str(row.source_id)), summary=words, actor=actor)


@transaction.atomic
def activate(connection: Connection, identity: Identity, *, actor: User, is_confirmed: bool = False) -> Connection:
    """Put a grant to use, unless its account gives reason to ask first."""
    row = Connection.objects.select_for_update().get(pk=connection.pk)
    # What is known is known of the grant that was asked with, not of one that has replaced it meanwhile.
    if row.state != State.UNCONFIRMED or row.grant_mark != connection.grant_mark:
        return row
    doubt = "" if is_confirmed else clash(identity)
    row.account = identity.description[:200] or row.account
    if doubt:
        row.last_error, row.last_error_at = doubt[:300], timezone.now()
        row.save(update_fields=["account", "last_error", "last_error_at"])
    else:
        row.state, row.last_error = State.ACTIVE, ""
        # Another account has another Trust Center; an event or a person tells which.
        row.slug_id = "" if is_another(identity) else row.slug_id
        row.save(update_fields=["account", "state", "last_error", "slug_id"])
        remember(identity)
        transaction.on_commit(partial(connected.send, Connection, tenant_id=row.tenant_id))
    if is_confirmed:
        words = "Confirmed that this is the right account."
        record("connection.confirm", target=("connection", str(row.source_id)), summary=words, actor=actor)
    touch_areas("connection")
    return row


def confirm(connection: Connection, *, grant: str, actor: User) -> Connection:
    """An owner has looked at the account and means it: the grant is put to use. Raises AlreadyAnswered.

    `grant` is the mark of the grant whose account was shown (`Connection.grant_mark`).
    """
    with transaction.atomic():
        # Before the call: of a grant that was rejected meanwhile there is no token to make it with.
        row = _unanswered(connection, grant)
    try:
        identity = identify(bare_client(row.region, row.open("access_token")))
    except Locked:
        identity = Identity()
    row = activate(row, identity, actor=actor, is_confirmed=True)
    if not row.is_active:
        raise AlreadyAnswered(row)
    return row


@transaction.atomic
def reject(connection: Connection, *, grant: str, actor: User) -> Connection:
    """An owner has looked at the account and does not mean it: its grant is ended, and the right one has to be connected.

    The connection is not disconnected: deliveries are still stored, for the account that is connected next. Raises
    AlreadyAnswered. `grant` is as for `confirm`.
    """
    row = _unanswered(connection, grant)
    queue_tokens(row)
    words = f"Rejected the account {row.account}; its grant is being ended.".replace("  ", " ")
    row.forget_tokens()
    now = timezone.now()
    row.state, row.account, row.client_id = State.NEEDS_RECONNECTION, "", ""
    row.last_error, row.last_error_at = REJECTED, now
    # Whoever rejected it knows: nobody has to be told.
    row.ended_at = row.told_at = now
    row.save()
    TokenRequest.objects.all().delete()
    Capability.objects.all().delete()
    record("connection.reject", target=("connection", str(row.source_id)), summary=words, actor=actor)
    touch_areas("connection")
    return row


def _unanswered(connection: Connection, grant: str) -> Connection:
    """Lock the connection whose account is asked about. Raises AlreadyAnswered."""
    row = Connection.objects.select_for_update().get(pk=connection.pk)
    if row.state != State.UNCONFIRMED:
        raise AlreadyAnswered(row)
    if row.grant_mark != grant:
        raise AlreadyAnswered(row, is_same_grant=False)
    return row
