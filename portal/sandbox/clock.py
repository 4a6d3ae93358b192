"""The sandbox's own clock: real time plus an offset that tests and the console move forward."""

import threading
import time
from datetime import UTC, datetime

from portal.sandbox.store import Store

SETTING = "clock_offset_seconds"


class Clock:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._offset = float(store.setting(SETTING, 0.0))

    def seconds(self) -> float:
        """Return now as seconds since the epoch."""
        return time.time() + self._offset

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.seconds(), UTC)

    def advance(self, seconds: float) -> datetime:
        """Move the clock forward; it stays there over restarts."""
        with self._lock:
            self._offset += seconds
            self._store.set_setting(SETTING, self._offset)
        return self.now()

    def reset(self) -> None:
        with self._lock:
            self._offset = 0.0
