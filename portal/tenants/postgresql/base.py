"""The second wall: row-level security sees the same scope as the manager.

The setting is made lazily, before the first statement that runs in another scope than the last one, so that a page costs
one extra round trip. Without a setting the policies show no row.
"""

import select
import time
from collections.abc import Callable, Sequence
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, Cursor, OperationalError
from psycopg.pq import TransactionStatus

from portal.tenants.scope import ALL_TENANTS, scope

SETTING = "portal.tenant"
APPLY = f"SELECT set_config('{SETTING}', %s, false)"


TRUSTED_SECONDS = 1.0
"""So long after an answer of the database a connection is tried without a round trip: is it still open on our side?"""


def check_and_apply(connection: Connection) -> None:
    """Try a pooled connection before it is handed out, with the statement that it needs first anyway.

    One that has answered just now, in the same scope, is only asked whether the database has closed it since.
    """
    setting = _setting()
    if setting == _setting_of(connection) and time.monotonic() < _answered_at(connection) + TRUSTED_SECONDS:
        _refuse_closed(connection)
        return
    Cursor(connection).execute(APPLY, [setting])
    _note(connection, setting)


def _refuse_closed(connection: Connection) -> None:
    """Raise OperationalError where something has come that nobody asked for: the database's farewell, or the end."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        raise OperationalError("the database has closed the connection")


def _setting() -> str:
    tenant_id = scope()
    return "" if tenant_id is None else "all" if tenant_id == ALL_TENANTS else str(tenant_id)


def _note(connection: Connection, setting: str) -> None:
    """Note on the connection itself what it is set to: it outlives the wrapper of one thread."""
    # A setting made in a transaction may be undone with it, behind our back.
    is_kept = connection.info.transaction_status == TransactionStatus.IDLE
    connection.portal_setting = setting if is_kept else None  # type: ignore[attr-defined]
    connection.portal_answered_at = time.monotonic()  # type: ignore[attr-defined]


def _setting_of(connection: Connection | None) -> str | None:
    return getattr(connection, "portal_setting", None)


def _answered_at(connection: Connection) -> float:
    return getattr(connection, "portal_answered_at", 0.0)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that keeps `portal.tenant` equal to the scope of the running code."""

    _applied: str | None = None

    def __init__(self, settings_dict: dict[str, Any], *args: Any, **options: Any) -> None:
        super().__init__(settings_dict, *args, **options)
        if pool := self.settings_dict["OPTIONS"].get("pool"):
            pool.setdefault("check", check_and_apply)

    def init_connection_state(self) -> None:
        super().init_connection_state()
        self._applied = _setting_of(self.connection)
        if self._in_scope not in self.execute_wrappers:
            self.execute_wrappers.append(self._in_scope)

    def run_prepared(self, sql: str, params: Sequence[Any]) -> int:
        """Run a statement past the ORM, prepared. `lib.database.run_prepared` is the way in."""
        self.ensure_connection()
        with self._prepare_cursor(Cursor(self.connection)) as cursor:  # type: ignore[attr-defined]
            cursor.execute(sql, params)
            return int(cursor.rowcount)

    def _in_scope(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        with self.wrap_database_errors:
            self._apply_scope()
        return execute(sql, params, many, context)

    def _apply_scope(self) -> None:
        wanted = _setting()
        # In a failed transaction nothing but the rollback runs, and that undoes the setting anyway.
        has_failed = self.connection.info.transaction_status == TransactionStatus.INERROR
        if wanted != self._applied and not has_failed:
            Cursor(self.connection).execute(APPLY, [wanted])
            self._applied = wanted
            _note(self.connection, wanted)

    def _rollback(self) -> None:  # the stubs know neither of the two
        # A setting made in a transaction is undone with it.
        self._applied = None
        super()._rollback()  # type: ignore[misc]

    def _savepoint_rollback(self, sid: str) -> None:
        super()._savepoint_rollback(sid)  # type: ignore[misc]
        self._applied = None
