"""Rate limits: fixed windows of one minute by the sandbox's clock (specification 8, platform-api 1.5, U2)."""

import math
import threading
from collections.abc import Hashable

from portal.sandbox.clock import Clock
from portal.sandbox.store import Store

WINDOW_SECONDS = 60.0
TOKEN, MANAGEMENT, CONTRACTS, INTEGRATION = "token", "management", "contracts", "integration"
AUDITOR, AUDITOR_WRITES, AUDITOR_LISTED, AUDITOR_COMMENTS, EVIDENCE_URLS = (
    "auditor",
    "auditor_writes",
    "auditor_listed",
    "auditor_comments",
    "evidence_urls",
)
"""Of the auditor API: reads, writes, the two groups that the specification names (section 8), and the list of evidence URLs."""
DEFAULTS: dict[str, int | None] = {
    TOKEN: 5,
    MANAGEMENT: 50,
    CONTRACTS: 10,
    INTEGRATION: 20,
    AUDITOR: 250,
    AUDITOR_WRITES: 10,
    AUDITOR_LISTED: 50,
    AUDITOR_COMMENTS: 25,
    EVIDENCE_URLS: 600,
}
SETTING = "limits"


class TooManyRequests(Exception):
    def __init__(self, retry_after: int) -> None:
        super().__init__("Rate limit exceeded")
        self.retry_after = retry_after


class Limits:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._windows: dict[tuple[str, Hashable], tuple[float, int]] = {}

    def current(self) -> dict[str, int | None]:
        """Return the requests a minute of each bucket; None: without limit."""
        changed: dict[str, int | None] = self._store.setting(SETTING, {})
        return DEFAULTS | changed

    def change(self, limits: dict[str, int | None]) -> None:
        """Set some buckets and start all windows anew. Raises ValueError for an unknown bucket."""
        unknown = sorted(set(limits) - set(DEFAULTS))
        if unknown:
            raise ValueError(f"unknown buckets: {', '.join(unknown)}")
        self._store.set_setting(SETTING, self.current() | limits)
        self.forget()

    def forget(self) -> None:
        with self._lock:
            self._windows.clear()

    def count(self, bucket: str, who: Hashable = None) -> None:
        """Count one request. Raises TooManyRequests; a refused request does not count."""
        limit = self.current()[bucket]
        if limit is None:
            return
        now = self._clock.seconds()
        with self._lock:
            start, number = self._windows.get((bucket, who), (now, 0))
            if now - start >= WINDOW_SECONDS:
                start, number = now, 0
            if number >= limit:
                raise TooManyRequests(max(1, math.ceil(start + WINDOW_SECONDS - now)))
            self._windows[bucket, who] = (start, number + 1)
