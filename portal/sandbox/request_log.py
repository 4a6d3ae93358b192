"""What was asked of the sandbox: never a query, a body or a token."""

from portal.sandbox.clock import Clock
from portal.sandbox.store import Json, Store
from portal.sandbox.values import moment

KEPT = 100_000
BETWEEN_PRUNINGS = 1000


class RequestLog:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def add(self, *, method: str, path: str, status: int | None, client_id: str | None, source_id: str | None) -> None:
        """Note one request; status None: the connection was broken before any work."""
        number = self._store.insert(
            "requests",
            at=self._clock.seconds(),
            method=method,
            path=path,
            status=status,
            client_id=client_id,
            source_id=source_id,
        )
        if number % BETWEEN_PRUNINGS == 0:
            self._store.write("DELETE FROM requests WHERE n <= ?", number - KEPT)

    def since(self, number: int) -> list[Json]:
        """Return all requests after a number, the oldest first."""
        rows = self._store.rows("SELECT * FROM requests WHERE n > ? ORDER BY n", number)
        return [{**dict(row), "at": moment(row["at"])} for row in rows]
