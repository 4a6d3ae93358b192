"""Delivers what is due: one attempt at a time, signed, and rescheduled when the receiver did not take it."""

import time
from dataclasses import dataclass

import requests

from portal.sandbox.clock import Clock
from portal.sandbox.store import Row, Store
from portal.sandbox.webhooks.endpoints import Endpoints
from portal.sandbox.webhooks.messages import DELIVERED, FAILED, PENDING, RETRY_SECONDS
from portal.sandbox.webhooks.signing import headers

CONNECT_SECONDS, ANSWER_SECONDS = 5, 15
"""A receiver must answer within 15 seconds (specification 6.1.2)."""
RESPONSE_LENGTH = 500


@dataclass(frozen=True)
class Outcome:
    status: int | None
    response: str

    @property
    def is_success(self) -> bool:
        """Any 2xx is good; a redirect is a failure and never followed (platform-api 3.2)."""
        return self.status is not None and 200 <= self.status < 300


class Pump:
    def __init__(self, store: Store, clock: Clock, *, endpoints: Endpoints, session: requests.Session) -> None:
        self._store = store
        self._clock = clock
        self._endpoints = endpoints
        self._session = session
        # What a killed process had in flight was perhaps delivered, perhaps not: at least once means again.
        store.write("UPDATE deliveries SET is_in_flight = 0 WHERE is_in_flight")

    def deliver_next(self) -> bool:
        """Attempt the delivery that has been due longest; False when none is due."""
        delivery = self._claim()
        if delivery is None:
            return False
        started = time.monotonic()
        at = time.time()
        outcome = self._attempt(delivery, timestamp=int(at))
        with self._store.transaction():
            self._store.insert(
                "attempts",
                delivery_id=delivery["id"],
                at=at,
                status=outcome.status,
                seconds=time.monotonic() - started,
                response=outcome.response,
            )
            self._reschedule(delivery, is_success=outcome.is_success)
            self._endpoints.note(delivery["endpoint_id"], is_success=outcome.is_success)
        return True

    def _claim(self) -> Row | None:
        with self._store.transaction():
            delivery = self._store.row(
                "SELECT d.id, d.step, d.due_at, d.endpoint_id, m.id AS hook_id, m.body"
                " FROM deliveries d JOIN messages m ON m.id = d.message_id JOIN endpoints e ON e.id = d.endpoint_id"
                " WHERE d.due_at <= ? AND NOT d.is_in_flight AND NOT e.disabled ORDER BY d.due_at, d.id LIMIT 1",
                self._clock.seconds(),
            )
            if delivery is not None:
                self._store.write("UPDATE deliveries SET is_in_flight = 1 WHERE id = ?", delivery["id"])
            return delivery

    def _attempt(self, delivery: Row, *, timestamp: int) -> Outcome:
        endpoint = self._endpoints.get(delivery["endpoint_id"])
        if endpoint is None:
            return Outcome(None, "The endpoint was deleted.")
        body = delivery["body"].encode()
        signing_secrets = endpoint.signing_secrets(self._clock.seconds())
        # The timestamp is real time, whatever the sandbox's clock says: the receiver compares it with its own.
        signed = headers(body, signing_secrets=signing_secrets, hook_id=delivery["hook_id"], timestamp=timestamp)
        try:
            with self._session.post(
                endpoint.url,
                data=body,
                headers=signed,
                timeout=(CONNECT_SECONDS, ANSWER_SECONDS),
                allow_redirects=False,
                stream=True,
            ) as response:
                snippet = next(response.iter_content(RESPONSE_LENGTH), b"")
                return Outcome(response.status_code, snippet.decode("utf-8", "replace"))
        except Exception as error:
            # Whatever an address can cause is a failed attempt: the thread has other receivers to serve.
            return Outcome(None, type(error).__name__)

    def _reschedule(self, delivery: Row, *, is_success: bool) -> None:
        state, due_at, step = PENDING, None, delivery["step"]
        if is_success:
            state = DELIVERED
        elif step < len(RETRY_SECONDS):
            due_at, step = self._clock.seconds() + RETRY_SECONDS[step], step + 1
        else:
            state = FAILED
        self._store.write(
            "UPDATE deliveries SET state = ?, due_at = ?, step = ?, is_in_flight = 0 WHERE id = ? AND due_at IS ?",
            state,
            due_at,
            step,
            delivery["id"],
            delivery["due_at"],
        )
        # Somebody asked for a resend meanwhile: then only the claim ends.
        self._store.write("UPDATE deliveries SET is_in_flight = 0 WHERE id = ?", delivery["id"])
