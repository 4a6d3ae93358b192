"""Messages and their way to each endpoint: what was sent, how it went, what is due again."""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from portal.sandbox.bell import Bell
from portal.sandbox.clock import Clock
from portal.sandbox.store import Json, Store
from portal.sandbox.switches import EVENT_ENVELOPE, Switches
from portal.sandbox.webhooks.catalogue import EXAMPLES
from portal.sandbox.webhooks.endpoints import Endpoint, Endpoints

RETRY_SECONDS = (5, 300, 1800, 7200, 28800, 86400, 172800)
"""From one attempt to the next: 8 attempts in all (platform-api 3.2)."""
PENDING, DELIVERED, FAILED = "pending", "delivered", "failed"


@dataclass(frozen=True, kw_only=True)
class Attempt:
    at: float
    """Real time: it is what the receiver saw in the timestamp header."""
    status: int | None
    """None: no answer at all."""
    seconds: float
    response: str


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message as the history of one endpoint shows it."""

    hook_id: str
    endpoint_id: str
    type: str
    body: str
    created_at: float
    state: str
    due_at: float | None
    attempts: list[Attempt]


class Messages:
    def __init__(self, store: Store, clock: Clock, *, endpoints: Endpoints, bell: Bell, switches: Switches) -> None:
        self._store = store
        self._clock = clock
        self._endpoints = endpoints
        self._bell = bell
        self._switches = switches
        self._is_quiet = ContextVar("is_quiet", default=False)

    @contextmanager
    def quiet(self, *, unless: bool) -> Iterator[None]:
        """Send nothing of what happens inside."""
        token = self._is_quiet.set(not unless)
        try:
            yield
        finally:
            self._is_quiet.reset(token)

    def send(self, tenant_id: str, event_type: str, payload: Json) -> str:
        """Put a message on its way to every endpoint of the tenant that listens to its type; return its hook-id."""
        if self._is_quiet.get():
            return ""
        with self._store.transaction():
            hook_id = self._add(tenant_id, event_type, payload)
            for endpoint in self._endpoints.all(tenant_id):
                if endpoint.listens_to(event_type) and not endpoint.disabled:
                    self._add_delivery(hook_id, endpoint.id)
        self._bell.ring()
        return hook_id

    def send_example(self, endpoint_id: str, event_type: str) -> str:
        """Send the example message of a type to one endpoint. Raises KeyError."""
        endpoint = self._must_get(endpoint_id)
        with self._store.transaction():
            hook_id = self._add(endpoint.tenant_id, event_type, EXAMPLES[event_type])
            self._add_delivery(hook_id, endpoint_id)
        self._bell.ring()
        return hook_id

    def resend(self, endpoint_id: str, hook_id: str) -> None:
        """Send one message again with the same hook-id, from the start of the schedule. Raises KeyError."""
        changed = self._store.write(
            "UPDATE deliveries SET due_at = ?, state = ?, step = 0 WHERE endpoint_id = ? AND message_id = ?",
            self._clock.seconds(),
            PENDING,
            endpoint_id,
            hook_id,
        )
        if not changed:
            raise KeyError(hook_id)
        self._bell.ring()

    def recover(self, endpoint_id: str, *, since: float, until: float | None = None) -> int:
        """Send again what the endpoint missed in a range of time; return how many messages. Raises KeyError.

        Missed is what never got a 2xx, and what was never sent because the endpoint was disabled.
        """
        endpoint = self._must_get(endpoint_id)
        missed = self._store.rows(
            "SELECT m.id, m.type, d.id AS delivery_id FROM messages m"
            " LEFT JOIN deliveries d ON d.message_id = m.id AND d.endpoint_id = ?"
            " WHERE m.tenant_id = ? AND m.created_at >= ? AND m.created_at <= ? AND ifnull(d.state, '') != ?",
            endpoint_id,
            endpoint.tenant_id,
            since,
            self._clock.seconds() if until is None else until,
            DELIVERED,
        )
        wanted = [row for row in missed if row["delivery_id"] or endpoint.listens_to(row["type"])]
        with self._store.transaction():
            for row in wanted:
                if row["delivery_id"] is None:
                    self._add_delivery(row["id"], endpoint_id)
                else:
                    self.resend(endpoint_id, row["id"])
        self._bell.ring()
        return len(wanted)

    def prune(self, *, before: float) -> None:
        """Forget messages from before a moment, with their deliveries and attempts."""
        old = "SELECT id FROM messages WHERE created_at < ?"
        deliveries = f"SELECT id FROM deliveries WHERE message_id IN ({old})"  # noqa: S608
        with self._store.transaction():
            self._store.write(f"DELETE FROM attempts WHERE delivery_id IN ({deliveries})", before)  # noqa: S608
            self._store.write(f"DELETE FROM deliveries WHERE message_id IN ({old})", before)  # noqa: S608
            self._store.write("DELETE FROM messages WHERE created_at < ?", before)

    def newest(self, tenant_id: str, event_type: str) -> str | None:
        """Return the hook-id of the tenant's latest message of a type."""
        row = self._store.row(
            "SELECT id FROM messages WHERE tenant_id = ? AND type = ? ORDER BY rowid DESC LIMIT 1", tenant_id, event_type
        )
        return None if row is None else str(row["id"])

    def history(self, endpoint_id: str, *, limit: int = 200, offset: int = 0) -> list[Message]:
        """Return the messages of an endpoint with all attempts, the newest first."""
        rows = self._store.rows(
            "SELECT d.*, m.type, m.body, m.created_at FROM deliveries d JOIN messages m ON m.id = d.message_id"
            " WHERE d.endpoint_id = ? ORDER BY d.id DESC LIMIT ? OFFSET ?",
            endpoint_id,
            limit,
            offset,
        )
        return [
            Message(
                hook_id=row["message_id"],
                attempts=self._attempts(row["id"]),
                **{name: row[name] for name in ("endpoint_id", "type", "body", "created_at", "state", "due_at")},
            )
            for row in rows
        ]

    def _attempts(self, delivery_id: int) -> list[Attempt]:
        rows = self._store.rows("SELECT * FROM attempts WHERE delivery_id = ? ORDER BY id", delivery_id)
        return [Attempt(**{name: row[name] for name in ("at", "status", "seconds", "response")}) for row in rows]

    def _add(self, tenant_id: str, event_type: str, payload: Json) -> str:
        hook_id = f"msg_{secrets.token_hex(12)}"
        self._store.insert(
            "messages",
            id=hook_id,
            tenant_id=tenant_id,
            type=event_type,
            body=json.dumps(self._wrapped(event_type, payload), separators=(",", ":")),
            created_at=self._clock.seconds(),
        )
        return hook_id

    def _wrapped(self, event_type: str, payload: Json) -> Json:
        return {"type": event_type, "data": payload} if self._switches[EVENT_ENVELOPE] else payload

    def _add_delivery(self, hook_id: str, endpoint_id: str) -> None:
        self._store.insert(
            "deliveries", message_id=hook_id, endpoint_id=endpoint_id, state=PENDING, due_at=self._clock.seconds()
        )

    def _must_get(self, endpoint_id: str) -> Endpoint:
        endpoint = self._endpoints.get(endpoint_id)
        if endpoint is None:
            raise KeyError(endpoint_id)
        return endpoint
