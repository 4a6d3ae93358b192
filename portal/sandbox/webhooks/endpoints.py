"""The addresses that tenants registered for their events."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from portal.sandbox.clock import Clock
from portal.sandbox.store import Row, Store
from portal.sandbox.values import new_id
from portal.sandbox.webhooks.catalogue import EVENT_TYPES
from portal.sandbox.webhooks.signing import new_secret

PATIENCE_SECONDS = 5 * 24 * 3600
"""How long all deliveries may fail before the platform disables an endpoint."""
SELECT = "SELECT endpoints.*, since AS failing_since FROM endpoints LEFT JOIN failing_endpoints ON endpoint_id = id"
OVERLAP_SECONDS = 24 * 3600
"""How long after a rotation the previous secret goes on signing beside the new one."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    id: str
    tenant_id: str
    url: str
    event_types: list[str]
    """Empty: all events (specification 6.1.1)."""
    secret: str = field(repr=False)
    previous_secret: str | None = field(repr=False)
    previous_until: float | None
    disabled: bool
    failing_since: float | None = None
    """When the first of the deliveries failed that have all failed since."""

    @property
    def is_disabled_by_platform(self) -> bool:
        return self.disabled and self.failing_since is not None

    @classmethod
    def from_row(cls, row: Row) -> "Endpoint":
        names = ("id", "tenant_id", "url", "secret", "previous_secret", "previous_until", "failing_since")
        return cls(
            event_types=json.loads(row["event_types"]),
            disabled=bool(row["disabled"]),
            **{name: row[name] for name in names},
        )

    def listens_to(self, event_type: str) -> bool:
        return not self.event_types or event_type in self.event_types

    def signing_secrets(self, now: float) -> list[str]:
        """Return the secrets that sign now, the newest first."""
        overlaps = self.previous_secret and self.previous_until and now < self.previous_until
        return [self.secret, *([self.previous_secret] if overlaps and self.previous_secret else [])]


class Endpoints:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def all(self, tenant_id: str | None = None) -> list[Endpoint]:
        """Return a tenant's endpoints, or everybody's, the oldest first."""
        sql = f"{SELECT} WHERE ?1 IS NULL OR tenant_id = ?1 ORDER BY endpoints.rowid"
        return [Endpoint.from_row(row) for row in self._store.rows(sql, tenant_id)]

    def get(self, endpoint_id: str) -> Endpoint | None:
        row = self._store.row(f"{SELECT} WHERE id = ?", endpoint_id)
        return None if row is None else Endpoint.from_row(row)

    def create(self, tenant_id: str, *, url: str, event_types: Sequence[str] = ()) -> Endpoint:
        """Register an address. Raises ValueError for one that is no address and for unknown event types."""
        check_url(url)
        check_event_types(event_types)
        endpoint_id = new_id()
        self._store.insert(
            "endpoints",
            id=endpoint_id,
            tenant_id=tenant_id,
            url=url,
            event_types=json.dumps([*event_types]),
            secret=new_secret(),
            created_at=self._clock.seconds(),
        )
        return self._must_get(endpoint_id)

    def update(
        self,
        endpoint_id: str,
        *,
        url: str | None = None,
        event_types: Sequence[str] | None = None,
        disabled: bool | None = None,
    ) -> Endpoint:
        """Change what is given. Raises KeyError and ValueError."""
        endpoint = self._must_get(endpoint_id)
        if url is not None:
            check_url(url)
        check_event_types(event_types or ())
        self._store.write(
            "UPDATE endpoints SET url = ?, event_types = ?, disabled = ? WHERE id = ?",
            endpoint.url if url is None else url,
            json.dumps(endpoint.event_types if event_types is None else [*event_types]),
            endpoint.disabled if disabled is None else disabled,
            endpoint_id,
        )
        if disabled is not None:
            # Whoever switches an endpoint starts its time anew.
            self._store.write("DELETE FROM failing_endpoints WHERE endpoint_id = ?", endpoint_id)
        return self._must_get(endpoint_id)

    def note(self, endpoint_id: str, *, is_success: bool) -> None:
        """Note how a delivery went; an endpoint that has taken none for five days is disabled (platform-api 3.2)."""
        now = self._clock.seconds()
        if is_success:
            self._store.write("DELETE FROM failing_endpoints WHERE endpoint_id = ?", endpoint_id)
            return
        self._store.write("INSERT OR IGNORE INTO failing_endpoints VALUES (?, ?)", endpoint_id, now)
        self._store.write(
            "UPDATE endpoints SET disabled = 1 WHERE id = ?1 AND EXISTS"
            " (SELECT 1 FROM failing_endpoints WHERE endpoint_id = ?1 AND since <= ?2)",
            endpoint_id,
            now - PATIENCE_SECONDS,
        )

    def rotate_secret(self, endpoint_id: str) -> Endpoint:
        """Give the endpoint a new secret; the old one signs beside it for a day."""
        until = self._clock.seconds() + OVERLAP_SECONDS
        self._store.write(
            "UPDATE endpoints SET previous_secret = secret, previous_until = ?, secret = ? WHERE id = ?",
            until,
            new_secret(),
            endpoint_id,
        )
        return self._must_get(endpoint_id)

    def delete(self, endpoint_id: str) -> None:
        """Forget an endpoint and its message history."""
        with self._store.transaction():
            self._store.write(
                "DELETE FROM attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE endpoint_id = ?)", endpoint_id
            )
            self._store.write("DELETE FROM deliveries WHERE endpoint_id = ?", endpoint_id)
            self._store.write("DELETE FROM failing_endpoints WHERE endpoint_id = ?", endpoint_id)
            self._store.write("DELETE FROM endpoints WHERE id = ?", endpoint_id)

    def _must_get(self, endpoint_id: str) -> Endpoint:
        endpoint = self.get(endpoint_id)
        if endpoint is None:
            raise KeyError(endpoint_id)
        return endpoint


def check_url(url: str) -> None:
    """Raise ValueError unless this is an http(s) address. The platform wants https; a laptop has none."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("The endpoint must be a full http(s) address.")


def check_event_types(event_types: Sequence[str]) -> None:
    unknown = sorted(set(event_types) - set(EVENT_TYPES))
    if unknown:
        raise ValueError(f"Unknown event types: {', '.join(unknown)}")
