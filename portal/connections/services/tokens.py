"""The token keeper: the one door to an access token. One mint at a time per connection, over all processes.

The lease is a compare-and-swap on the row, with an owner and an end, and no transaction is open during the call: a holder that
dies is followed by another one, and a holder that wakes up too late finds a newer generation and writes nothing.
"""

import time
import uuid
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from portal.connections.models import GRACE, LEASE, Connection, State
from portal.connections.services.budget import BudgetSpent
from portal.connections.services.platform import call_token_endpoint
from portal.connections.services.suspensions import queue_suspension
from portal.live.services import changed
from portal.platform_api.errors import InvalidGrant, PlatformError, TemporaryError
from portal.platform_api.oauth import TokenAnswer

WAIT_SECONDS = 12.0
"""How long a caller waits for the token that somebody else is fetching."""
LOOK_AGAIN_SECONDS = 0.05
BETWEEN_FORCED_REFRESHES = timedelta(minutes=10)
"""A platform that refuses every token must not use up the budget of all tenants (guarantee T7)."""


class NotConnected(Exception):
    """There is no working grant. A person has to connect or reconnect."""


class TokenBusy(TemporaryError):
    """The token is being fetched elsewhere and did not arrive in time."""


def connection_of_tenant() -> Connection | None:
    """Return the connection of the tenant in scope."""
    return Connection.objects.first()


def access_token(connection_id: int, *, stale: str | None = None) -> str:
    """Return a token that lives for at least another minute, fetching one if need be.

    `stale` is a token that the platform refused: if a newer one is stored it is returned, else the refused one is replaced.
    Raises NotConnected, BudgetSpent, TokenBusy, or the PlatformError of the token endpoint.
    """
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        connection = Connection.objects.get(pk=connection_id)
        if not connection.is_active:
            raise NotConnected(connection.get_state_display())
        token = connection.open("access_token")
        if token != stale and connection.has_live_token(timezone.now()):
            return token
        owner = _take_lease(connection)
        if owner:
            _refresh(connection, owner=owner, forced=token == stale)
        elif time.monotonic() > deadline:
            raise TokenBusy("POST", "/oauth/token", message="the token is being fetched elsewhere", retry_after=5.0)
        else:
            time.sleep(LOOK_AGAIN_SECONDS)


def _take_lease(connection: Connection) -> str | None:
    """Become the only one who refreshes this generation; None when somebody else is, or was just faster."""
    owner, now = str(uuid.uuid4()), timezone.now()
    taken = Connection.objects.filter(
        Q(lease_owner="") | Q(lease_until__lt=now),
        pk=connection.pk,
        generation=connection.generation,
        state=State.ACTIVE,
    ).update(lease_owner=owner, lease_until=now + LEASE)
    return owner if taken else None


def _refresh(connection: Connection, *, owner: str, forced: bool) -> None:
    now = timezone.now()
    if forced and connection.refused_at and now - connection.refused_at < BETWEEN_FORCED_REFRESHES:
        _release(connection, owner=owner, error="The platform refuses tokens that it has just issued.")
        raise NotConnected("the platform refuses tokens that it has just issued")
    try:
        answer = _ask(connection)
    except InvalidGrant:
        _needs_reconnection(connection, owner=owner)
        raise NotConnected("the platform has ended the grant") from None
    except BudgetSpent:
        _release(connection, owner=owner)
        raise
    except PlatformError as error:
        _release(connection, owner=owner, error=str(error))
        raise
    _store(connection, answer, owner=owner, asked_at=now, forced=forced)


def _ask(connection: Connection) -> TokenAnswer:
    """Refresh; when the refresh token is refused, try the one before it while its grace lasts.

    After a crash between the platform's answer and our commit the stored token is the previous one there, and still good.
    """
    current, previous = connection.open("refresh_token"), connection.open("previous_refresh_token")
    try:
        return call_token_endpoint(connection.region, lambda application: application.refresh(current))
    except InvalidGrant:
        if not previous or not connection.refreshed_at or timezone.now() - connection.refreshed_at > GRACE:
            raise
        return call_token_endpoint(connection.region, lambda application: application.refresh(previous))


def _store(connection: Connection, answer: TokenAnswer, *, owner: str, asked_at: datetime, forced: bool) -> None:
    """Save both tokens and the next generation at once; if the row moved on meanwhile, give the new tokens back instead."""
    generation = connection.generation + 1
    refresh_token = answer.refresh_token or connection.open("refresh_token")
    values = {
        "access_token": connection.seal("access_token", answer.access_token, generation=generation),
        "refresh_token": connection.seal("refresh_token", refresh_token, generation=generation),
        "previous_refresh_token": bytes(connection.refresh_token),
        # Counted from before the request: the answer's way back does not lengthen the token's life.
        "access_expires_at": asked_at + timedelta(seconds=answer.expires_in),
        "refreshed_at": asked_at,
        "last_error": "",
    }
    if forced:
        values["refused_at"] = asked_at
    with transaction.atomic():
        stored = _held(connection, owner).update(**values, generation=F("generation") + 1, lease_owner="", lease_until=None)
        if not stored and not Connection.objects.filter(pk=connection.pk, state=State.ACTIVE).exists():
            # Cut while the call was on its way: what came back must not live on at the platform (guarantee T10).
            queue_suspension(connection.region, answer.access_token, refresh_token)
        changed("connection")


def _needs_reconnection(connection: Connection, *, owner: str) -> None:
    """Both refresh tokens were refused: the person has to consent again. Nothing is deleted."""
    with transaction.atomic():
        _held(connection, owner).update(
            state=State.NEEDS_RECONNECTION,
            lease_owner="",
            lease_until=None,
            last_error="The platform has ended the grant.",
            last_error_at=timezone.now(),
        )
        changed("connection")


def _release(connection: Connection, *, owner: str, error: str = "") -> None:
    values = {"last_error": error[:300], "last_error_at": timezone.now()} if error else {}
    _held(connection, owner).update(lease_owner="", lease_until=None, **values)


def _held(connection: Connection, owner: str) -> QuerySet[Connection]:
    return Connection.objects.filter(pk=connection.pk, generation=connection.generation, lease_owner=owner)
