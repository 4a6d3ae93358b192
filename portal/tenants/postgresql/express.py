"""A connection kept for the one statement that thousands wait for: taking one from the pool costs as much as the statement."""

import threading
from collections.abc import Sequence
from typing import Any

from psycopg import Cursor, OperationalError
from psycopg_pool import ConnectionPool

from portal.tenants.postgresql.pooled import Pooled, check_and_apply

type Pool = ConnectionPool[Pooled]


class Express:
    """Runs prepared statements that commit by themselves, one after the other, on a connection that it keeps."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[Pool, Pooled] | None = None

    def run(self, pool: Pool, sql: str, params: Sequence[Any]) -> int:
        """Run one in the scope of the running code; return how many rows it has changed. Raises psycopg's errors."""
        with self._lock:
            return Cursor(self._connection(pool)).execute(sql, params, prepare=True).rowcount

    def _connection(self, pool: Pool) -> Pooled:
        """Return the kept one while it is good for anything; else one of the pool, which tries it the same way."""
        if self._kept and self._kept[0] is pool:
            try:
                check_and_apply(self._kept[1])
                return self._kept[1]
            except OperationalError:
                # It is closed by now, and the pool makes another in its place.
                pool.putconn(self._kept[1])
        self._kept = None
        pool.open()
        connection = pool.getconn()
        self._kept = pool, connection
        return connection
