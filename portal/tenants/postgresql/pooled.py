"""The connections of a web process: each shows the scope of who takes it, and none is waited for without an end."""

import select
import time
from typing import Any

from psycopg import Connection, Cursor, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.pq import TransactionStatus

from portal.tenants.scope import ALL_TENANTS, person_in_scope, scope

SETTING = "portal.tenant"
APPLY = f"SELECT set_config('{SETTING}', %s, false)"

MAX_ANSWER_LENGTH, MAX_CHECK = 4.5, 1.0
"""Seconds. The database ends a statement by itself before that (see the settings): only one that hangs takes longer."""
TRUSTED_SECONDS = 1.0
"""So long after an answer of the database a connection is tried without a round trip: is it still open on our side?"""


class Pooled(Connection[Any]):
    """A connection that outlives the requests it serves. It knows what it is set to, and gives a hanging database up (H5)."""

    setting: str | None = None
    answered_at = 0.0
    longest_answer = MAX_ANSWER_LENGTH

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        try:
            return super().wait(gen, interval, self.longest_answer if timeout is None else timeout)
        except OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                # What it may still answer belongs to a question that nobody asks any more.
                self.close()
            raise


def check_and_apply(connection: Pooled) -> None:
    """Try a pooled connection before it is handed out, with the statement that it needs first anyway.

    One that has answered just now, in the same scope, is only asked whether the database has closed it since.
    """
    setting = scope_setting()
    if setting == connection.setting and time.monotonic() < connection.answered_at + TRUSTED_SECONDS:
        _refuse_closed(connection)
        return
    connection.longest_answer = MAX_CHECK
    try:
        apply(connection, setting)
    finally:
        connection.longest_answer = MAX_ANSWER_LENGTH


def _refuse_closed(connection: Pooled) -> None:
    """Raise OperationalError where something has come that nobody asked for: the database's farewell, or the end."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        connection.close()  # otherwise the pool takes it back: it has not heard yet
        raise OperationalError("the database has closed the connection")


def scope_setting() -> str:
    """Return what row-level security is to be told of the scope of the running code."""
    tenant_id, person = scope(), person_in_scope()
    if tenant_id is None:
        return "" if person is None else f"user {person}"
    return "all" if tenant_id == ALL_TENANTS else str(tenant_id)


def apply(connection: Connection[Any], setting: str) -> None:
    """Tell the database the scope; a pooled connection notes it."""
    Cursor(connection).execute(APPLY, [setting])
    if isinstance(connection, Pooled):
        # A setting made in a transaction may be undone with it, behind our back.
        is_kept = connection.info.transaction_status == TransactionStatus.IDLE
        connection.setting = setting if is_kept else None
        connection.answered_at = time.monotonic()
