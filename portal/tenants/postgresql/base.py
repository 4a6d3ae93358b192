"""The second wall: row-level security sees the same scope as the manager.

The setting is made lazily, before the first statement that runs in another scope than the last one, so that a page costs
one extra round trip. Without a setting the policies show no row.
"""

from collections.abc import Callable
from typing import Any

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from portal.tenants.scope import ALL_TENANTS, scope

SETTING = "portal.tenant"


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that keeps `portal.tenant` equal to the scope of the running code."""

    _applied: str | None = None

    def init_connection_state(self) -> None:
        super().init_connection_state()
        self._applied = None
        if self._apply_scope not in self.execute_wrappers:
            self.execute_wrappers.append(self._apply_scope)

    def _apply_scope(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        tenant_id = scope()
        wanted = "" if tenant_id is None else "all" if tenant_id == ALL_TENANTS else str(tenant_id)
        # In a failed transaction nothing but the rollback runs, and that undoes the setting anyway.
        has_failed = self.connection.info.transaction_status == TransactionStatus.INERROR
        if wanted != self._applied and not has_failed:
            with self.wrap_database_errors, self.connection.cursor() as cursor:
                cursor.execute(f"SELECT set_config('{SETTING}', %s, false)", [wanted])
            self._applied = wanted
        return execute(sql, params, many, context)

    def _rollback(self) -> None:  # the stubs know neither of the two
        # A setting made in a transaction is undone with it.
        self._applied = None
        super()._rollback()  # type: ignore[misc]

    def _savepoint_rollback(self, sid: str) -> None:
        super()._savepoint_rollback(sid)  # type: ignore[misc]
        self._applied = None
