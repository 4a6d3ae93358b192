"""The one door to an access token. Whoever waits behind it waits in words, for a bounded time, and never for a lock."""

import random
import time
from typing import Any

from django.utils import timezone

from portal.connections.error_messages import error_message
from portal.connections.errors import BudgetSpent, KeyMissing, NotConnected, TokenBusy
from portal.connections.models import Connection, State
from portal.connections.models.connection import SEALED_FIELDS
from portal.connections.policy import Urgency
from portal.connections.services import alarms, queue
from portal.connections.services.budget import pause_of, seconds_until_call
from portal.connections.services.platform import api_url
from portal.connections.services.queue import Waiting
from portal.connections.services.token_refresh import refresh_tokens
from portal.lib.database import give_back
from portal.lib.sealed import Locked
from portal.page_refresh.services import read_once
from portal.platform_api.errors import Party, RefreshTooSoon

PATIENCE_SECONDS = 13.0
"""How long a caller waits for the token. Pacing frees the next call within twelve seconds, so a person gets through."""
FIRST_LOOK_SECONDS, MAX_LOOK_SECONDS = 0.05, 0.5
BETWEEN_FORCED_REFRESHES = 600.0
"""A platform that refuses every token must not use up the budget of all tenants (guarantee T7). Seconds."""
QUEUE_CHECK_SECONDS = 60.0
"""When to look again for a turn in the queue; a token that arrives earlier wakes the work by itself."""

ONE_CALL = Waiting()
STATE_WORDS = {
    State.UNCONFIRMED: "An owner has yet to confirm which account was connected.",
    State.NEEDS_RECONNECTION: "The connection to the platform has ended.",
    State.DISCONNECTED: "The platform is not connected.",
}


def connection_of_tenant() -> Connection | None:
    """Return the connection of the tenant in scope: one row for all parts of a page. Who changes it reads its own."""
    return read_once("connection", Connection.objects.first)


def why_not_connected(connection: Connection | None) -> str:
    """Say why no call can be made with a connection that is not active."""
    if connection is None:
        return STATE_WORDS[State.DISCONNECTED]
    is_ended = connection.state == State.NEEDS_RECONNECTION
    return (is_ended and connection.last_error) or STATE_WORDS[State(connection.state)]


def is_locked(connection: Connection) -> bool:
    """Say whether the tokens are there and no configured key opens them: neither gone nor ended."""
    try:
        for field in SEALED_FIELDS:
            connection.open(field)
    except Locked:
        return True
    return False


def access_token(connection: Connection, urgency: Urgency, *, stale: str | None = None, waiting: Waiting = ONE_CALL) -> str:
    """Return a token that lives for at least another minute, fetching one if need be.

    `stale` is a token that the platform refused: if a newer one is stored it is returned, else the refused one is replaced.
    `waiting` says how much waits for the token, which decides whose turn is next.
    Raises NotConnected, TokenBusy, RefreshTooSoon, or the PlatformError of the token endpoint.
    """
    deadline, look, is_queued = time.monotonic() + PATIENCE_SECONDS, FIRST_LOOK_SECONDS, False
    while True:
        row = Connection.objects.get(pk=connection.pk)
        if token := _usable(row, stale):
            return token
        wait = _serve_queue(row, urgency, waiting) if urgency.is_machine else _mint(row, urgency)
        if wait is None:
            continue
        if wait > 0 and not is_queued:
            queue.request_token(row, urgency, waiting)
            is_queued = True
        left = deadline - time.monotonic()
        if wait > left:
            raise _busy(row, retry_after=max(wait, 1.0))
        give_back()
        time.sleep(min(look * random.uniform(0.7, 1.3), max(left, 0.0)))  # noqa: S311 - jitter, not a secret
        look = min(look * 1.5, MAX_LOOK_SECONDS)


def _busy(row: Connection, *, retry_after: float) -> TokenBusy:
    """Say who makes the caller wait: the platform, if its answers keep the token from coming; else the portal's own rule."""
    row.refresh_from_db(fields=["failures", "last_error"])
    url, reasons = api_url(row.region), dict[str, Any]()
    trouble = "" if row.is_own_application else alarms.trouble_of(url)
    if trouble:
        reasons = {"party": Party.PLATFORM, "because": alarms.WORDS[trouble]}
    elif not (reasons := pause_of(url)) and row.failures and row.last_error:
        reasons = {"party": Party.UNREACHABLE, "because": row.last_error}
    return TokenBusy("the token call is queued", retry_after=retry_after, **reasons)


def _usable(row: Connection, stale: str | None) -> str:
    """Return the stored token if it is good; empty means that another one is needed. Raises NotConnected."""
    if not row.is_active:
        raise NotConnected(why_not_connected(row))
    if not row.has_live_token(timezone.now()):
        return ""
    try:
        token = row.open("access_token")
    except Locked:
        raise KeyMissing from None
    if token != stale:
        return token
    _distrust(row)
    return ""


def _distrust(row: Connection) -> None:
    """The platform refused a token that should be good: nobody uses it any more.

    Not twice in a row: then it is the platform that refuses what it has just issued, and another refresh helps nobody.
    """
    now, current = timezone.now(), Connection.objects.filter(pk=row.pk, generation=row.generation)
    since = (now - row.refused_at).total_seconds() if row.refused_at else -1.0
    if 0 <= since < BETWEEN_FORCED_REFRESHES:
        message, left = "a token that was just issued is refused", BETWEEN_FORCED_REFRESHES - since
        error = RefreshTooSoon("POST", "/oauth/token", status=401, message=message, retry_after=left)
        current.update(last_error=error_message(error), last_error_at=now)
        raise error
    current.update(access_expires_at=None, refused_at=now)


def _mint(row: Connection, urgency: Urgency) -> float | None:
    """Get the token at once, for a person; else return in how many seconds that may be possible. None means look again."""
    # First a look that costs no lease.
    wait = seconds_until_call(api_url(row.region), urgency)
    if wait > 0:
        return wait
    try:
        return None if refresh_tokens(row, urgency) else 0.0
    except BudgetSpent as spent:
        return spent.retry_after


def _serve_queue(row: Connection, urgency: Urgency, waiting: Waiting) -> float | None:
    """Stand in line, and make the calls that are possible now, each for the one whose turn it is."""
    queue.request_token(row, urgency, waiting)
    while True:
        is_served = queue.serve(api_url(row.region))
        now = Connection.objects.get(pk=row.pk)
        if (now.generation, now.state) != (row.generation, row.state):
            return None
        if not is_served:
            return 0.0 if now.is_leased(timezone.now()) else QUEUE_CHECK_SECONDS
