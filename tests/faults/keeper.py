"""What a process of the house can be told about its token keeper: to ask, to serve, and to stop at a chosen moment."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connections
from django.db.models import F

from portal.connections.models import Connection, Suspension, TokenEndpoint, TokenRequest
from portal.connections.services import Urgency, access_token, budget, disconnect, leases, token_refresh
from portal.connections.services.leases import Lease
from portal.tenants.scope import all_tenants, tenant_scope
from tests.faults.moments import after, before, stop_at
from tests.support.members import find_member

MOMENTS = {
    "the lease is taken": after(token_refresh, "take_lease"),
    "the call is counted": after(budget, "take_call"),
    "the attempt is noted": after(Lease, "begin_call"),
    "the answer is in hand": before(token_refresh, "store"),
    "the row is written but not committed": after(Lease, "end"),
}
"""The steps of a mint."""
A_MINUTE = timedelta(seconds=61)
_leases: dict[str, list[float]] = {}


def ask(tenant_id: int, connection_id: int) -> str:
    """Ask for the token once; return it, or the error in words."""
    try:
        with tenant_scope(tenant_id):
            return access_token(Connection.objects.get(pk=connection_id), Urgency.PERSON)
    except Exception as error:
        return repr(error)
    finally:
        connections.close_all()


def ask_and_stop(tenant_id: int, connection_id: int, moment: str, signal_number: int) -> str:
    """Ask for the token, and send this process a signal at a moment of the way, once."""
    stop_at(MOMENTS[moment], signal_number)
    return ask(tenant_id, connection_id)


def shorten_lease(seconds: float) -> None:
    """Have this process take shorter leases: what is tried is their order, not their length."""
    leases.LEASE, leases.LEASE_IS_SURE = timedelta(seconds=seconds), seconds / 2


def watch_leases() -> None:
    """Remember from when to when this process held the lease of which connection, on the clock that all processes share."""
    take, end = token_refresh.take_lease, Lease.end

    def watched_take(connection: Connection) -> Lease | None:
        asked = time.monotonic()
        lease = take(connection)
        if lease:
            # Its length counts from before the commit, which takes its time on a busy machine.
            _leases[lease.owner] = [connection.pk, time.monotonic(), asked + leases.LEASE.total_seconds()]
        return lease

    def watched_end(lease: Lease, **values: Any) -> bool:
        held = _leases[lease.owner]
        held[2] = min(held[2], time.monotonic())
        return end(lease, **values)

    token_refresh.take_lease, Lease.end = watched_take, watched_end  # type: ignore[method-assign]


def held_leases() -> list[list[float]]:
    """Return the connection, the beginning and the end of each lease that this process has had."""
    return [*_leases.values()]


def wait_for_locks(seconds: float) -> None:
    """Have this process wait less long for a lock of SQLite."""
    connections.settings["default"]["OPTIONS"]["timeout"] = seconds
    connections.close_all()


def leave_queue() -> None:
    """Nobody waits any more: what an earlier case left in the queue would be asked of this case's platform."""
    with all_tenants("the cases of one house share its queue"):
        TokenRequest.objects.all().delete()
        Suspension.objects.all().delete()


def pass_minute() -> None:
    """Let the minute of the budget pass here; the platform's has to be moved too."""
    TokenEndpoint.objects.update(calls=[], closed_at=None)
    with all_tenants("time passes for all"):
        for waiting in (TokenRequest, Suspension):
            waiting.objects.update(due_at=F("due_at") - A_MINUTE)


def state_of(tenant_id: int) -> dict[str, Any]:
    with tenant_scope(tenant_id):
        row = Connection.objects.values("state", "generation", "failures", "attempted_at", "access_expires_at").get()
    return row | {name: row[name] and row[name].isoformat() for name in ("attempted_at", "access_expires_at")}


def cut(tenant_id: int) -> None:
    """Disconnect as the owner."""
    with tenant_scope(tenant_id):
        disconnect(Connection.objects.get(), actor=find_member(tenant=tenant_id).user)


def suspended_tokens(tenant_id: int) -> list[str]:
    """Return the tokens that wait to be suspended; a confirmed one is wiped and is empty."""
    with tenant_scope(tenant_id):
        return [suspension.open("token") for suspension in Suspension.objects.order_by("pk")]


COMMANDS: dict[str, Callable[..., Any]] = {
    command.__name__: command
    for command in (
        *(ask, ask_and_stop, shorten_lease, watch_leases, held_leases, wait_for_locks, leave_queue, pass_minute),
        *(state_of, cut, suspended_tokens),
    )
}
