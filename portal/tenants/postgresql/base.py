"""The second wall: row-level security sees the same scope as the manager.

The setting is made lazily, before the first statement that runs in another scope than the last one, so that a page costs
one extra round trip. Without a setting the policies show no row.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Cursor
from psycopg.pq import TransactionStatus

from portal.tenants.postgresql.express import Express
from portal.tenants.postgresql.pooled import Pooled, apply, check_and_apply, scope_setting

express = Express()
"""Of the process, not of a thread: those who arrive together are stored by one of them."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that keeps `portal.tenant` equal to the scope of the running code."""

    _applied: str | None = None

    def __init__(self, settings_dict: dict[str, Any], *args: Any, **options: Any) -> None:
        super().__init__(settings_dict, *args, **options)
        if pool := self.settings_dict["OPTIONS"].get("pool"):
            pool.setdefault("connection_class", Pooled)
            pool.setdefault("check", check_and_apply)

    def init_connection_state(self) -> None:
        super().init_connection_state()
        self._applied = self.connection.setting if isinstance(self.connection, Pooled) else None
        if self._in_scope not in self.execute_wrappers:
            self.execute_wrappers.append(self._in_scope)

    def run_prepared(self, sql: str, params: Sequence[Any]) -> int:
        """Run a statement past the ORM, prepared. `lib.database.run_prepared` is the way in."""
        if self.connection is None and self.pool:
            with self.wrap_database_errors:
                return express.run(self.pool, sql, params)
        self.ensure_connection()
        with self._prepare_cursor(Cursor(self.connection)) as cursor:  # type: ignore[attr-defined]
            cursor.execute(sql, params)
            return int(cursor.rowcount)

    def _in_scope(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        with self.wrap_database_errors:
            self._apply_scope()
        return execute(sql, params, many, context)

    def _apply_scope(self) -> None:
        wanted = scope_setting()
        # In a failed transaction nothing but the rollback runs, and that undoes the setting anyway.
        has_failed = self.connection.info.transaction_status == TransactionStatus.INERROR
        if wanted != self._applied and not has_failed:
            apply(self.connection, wanted)
            self._applied = wanted

    def _rollback(self) -> None:  # the stubs know neither of the two
        # A setting made in a transaction is undone with it.
        self._applied = None
        super()._rollback()  # type: ignore[misc]

    def _savepoint_rollback(self, sid: str) -> None:
        super()._savepoint_rollback(sid)  # type: ignore[misc]
        self._applied = None
