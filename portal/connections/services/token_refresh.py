"""One refresh: lease the row, call the token endpoint, store both tokens. One at a time per connection, over all processes."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from portal.connections.errors import BudgetSpent, KeyMissing, NotConnected, TokenBusy
from portal.connections.models import GRACE, Connection, State, TokenRequest
from portal.connections.policy import Urgency
from portal.connections.services.failures import end_grant, fail, grant_end_message
from portal.connections.services.leases import Lease, take_lease
from portal.connections.services.platform import application, call_token_endpoint
from portal.connections.services.suspensions import queue_suspension
from portal.connections.signals import token_arrived
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import InvalidGrant, PlatformError
from portal.platform_api.oauth import OAuthApplication, TokenAnswer


def refresh_tokens(connection: Connection, urgency: Urgency) -> bool:
    """Replace the tokens of a connection; False when somebody else is doing so.

    Raises BudgetSpent, NotConnected once the grant has ended, or the PlatformError of the token endpoint. Whatever happens, the
    grant is kept unless the platform has clearly ended it.
    """
    lease = take_lease(connection)
    if lease is None:
        return False
    asked_at = timezone.now()
    try:
        answer = _ask(lease, urgency)
    except Locked:
        lease.end()
        raise KeyMissing from None
    except (BudgetSpent, TokenBusy):
        lease.end()
        raise
    except PlatformError as error:
        if words := grant_end_message(connection, error):
            end_grant(lease, words)
            raise NotConnected(words) from None
        fail(lease, error)
        raise
    store(lease, answer, asked_at=asked_at)
    return True


def _ask(lease: Lease, urgency: Urgency) -> TokenAnswer:
    """Get the next tokens: with the current refresh token, or with the one before it once the current one is refused.

    After a crash between the platform's answer and our commit the stored token is the previous one there, and still good.
    """
    connection = lease.connection
    if connection.is_own_application:
        secret = connection.open("client_secret")
        own = application(connection.region, client_id=connection.client_id, client_secret=secret)
        return _call(lease, own, urgency, lambda app: app.issue(connection.scopes))
    ours, current = application(connection.region), connection.open("refresh_token")
    if connection.current_refused_at is None:
        try:
            return _call(lease, ours, urgency, lambda app: app.refresh(current))
        except InvalidGrant:
            if not _has_usable_previous(connection):
                raise
            # Kept, so that the next caller begins here if there is no call left for the second try now.
            lease.rows.update(current_refused_at=timezone.now())
    previous = connection.open("previous_refresh_token")
    return _call(lease, ours, urgency, lambda app: app.refresh(previous))


def _call(lease: Lease, app: OAuthApplication, urgency: Urgency, ask: Callable[[OAuthApplication], TokenAnswer]) -> TokenAnswer:
    def begin_and_ask(app: OAuthApplication) -> TokenAnswer:
        lease.begin_call()
        return ask(app)

    connection = lease.connection
    return call_token_endpoint(app, connection.region, urgency, begin_and_ask, is_ours=not connection.is_own_application)


def _has_usable_previous(connection: Connection) -> bool:
    """Say whether the refresh token before the current one may still be in its three hours (specification section 3.6)."""
    return bool(
        connection.previous_refresh_token and connection.refreshed_at and timezone.now() - connection.refreshed_at < GRACE
    )


def store(lease: Lease, answer: TokenAnswer, *, asked_at: datetime) -> bool:
    """Save both tokens and the next generation at once; False when the row moved on meanwhile and nothing was saved."""
    connection = lease.connection
    if connection.is_own_application:
        refresh_token, previous = "", b""
    else:
        refresh_token = answer.refresh_token or connection.open("refresh_token")
        previous = bytes(connection.refresh_token)
    following = Connection(source_id=connection.source_id, generation=connection.generation + 1)
    values: dict[str, Any] = {
        "access_token": following.seal("access_token", answer.access_token),
        "refresh_token": following.seal("refresh_token", refresh_token),
        "previous_refresh_token": previous,
        # Counted from before the request: the answer's way back does not lengthen the token's life.
        "access_expires_at": asked_at + timedelta(seconds=answer.expires_in),
        "refreshed_at": asked_at,
        "attempted_at": None,
        "current_refused_at": None,
        "failures": 0,
        "last_error": "",
    }
    with transaction.atomic():
        stored = lease.end(**values, generation=F("generation") + 1)
        if stored:
            TokenRequest.objects.filter(connection=connection).delete()
            transaction.on_commit(partial(token_arrived.send, Connection, tenant_id=connection.tenant_id))
        elif not Connection.objects.filter(pk=connection.pk, state=State.ACTIVE, connected_at=connection.connected_at).exists():
            # Cut or replaced while the call was on its way: what came back must not live on at the platform (T10, R7).
            queue_suspension(connection, answer.access_token, refresh_token)
        touch_areas("connection")
    return stored
