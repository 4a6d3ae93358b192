"""The second wall: row-level security sees the same scope as the manager.

The setting is made lazily, before the first statement that runs in another scope than the last one, so that a page costs
one extra round trip. Without a setting the policies show no row.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, Cursor
from psycopg.pq import TransactionStatus

from portal.tenants.scope import ALL_TENANTS, scope

SETTING = "portal.tenant"
APPLY = f"SELECT set_config('{SETTING}', %s, false)"


def check_and_apply(connection: Connection) -> None:
    """Try a pooled connection before it is handed out, with the statement that it needs first anyway."""
    setting = _setting()
    Cursor(connection).execute(APPLY, [setting])
    connection.portal_setting = setting  # type: ignore[attr-defined]


def _setting() -> str:
    tenant_id = scope()
    return "" if tenant_id is None else "all" if tenant_id == ALL_TENANTS else str(tenant_id)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that keeps `portal.tenant` equal to the scope of the running code."""

    _applied: str | None = None

    def __init__(self, settings_dict: dict[str, Any], *args: Any, **options: Any) -> None:
        super().__init__(settings_dict, *args, **options)
        if pool := self.settings_dict["OPTIONS"].get("pool"):
            pool.setdefault("check", check_and_apply)

    def init_connection_state(self) -> None:
        super().init_connection_state()
        self._applied = getattr(self.connection, "portal_setting", None)
        if self._in_scope not in self.execute_wrappers:
            self.execute_wrappers.append(self._in_scope)

    def run_prepared(self, sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run a statement past the ORM, prepared. `lib.database.run_prepared` is the way in."""
        self.ensure_connection()
        with self._prepare_cursor(Cursor(self.connection)) as cursor:  # type: ignore[attr-defined]
            cursor.execute(sql, params)
            return list(cursor.fetchall())

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

    def _rollback(self) -> None:  # the stubs know neither of the two
        # A setting made in a transaction is undone with it.
        self._applied = None
        super()._rollback()  # type: ignore[misc]

    def _savepoint_rollback(self, sid: str) -> None:
        super()._savepoint_rollback(sid)  # type: ignore[misc]
        self._applied = None
