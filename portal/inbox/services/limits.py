"""Floods of requests that are refused: what they may cost, and when the answer turns into 429 (guarantee H10).

Only refused requests are counted, and a limit only ever turns one refusal into another: a delivery is looked up and verified
before anything is limited. Who knows an address, or sits behind the same proxy as the platform, shuts nobody out; a good
delivery costs not even a look at the counters.

What is dear about a forged request is what it leaves behind: nothing is stored, its lines in the log end after the first few,
and an address that does not exist is looked up once in a while, however often it is asked for.

Counted in the memory of each process. A counter in the database or the cache would be a round trip that anybody can order, it
would fail together with them, and what is protected here is the process itself; n processes let n times the limit through.
"""

import logging
import threading
from collections import Counter
from time import monotonic

from portal.inbox.metrics import FLOODED, REJECTED

logger = logging.getLogger(__name__)

WINDOW_SECONDS = 60.0
MAX_OF_AN_ENDPOINT, MAX_OF_AN_ADDRESS = 30, 60
"""Refused requests a minute that are told why; those after them are told to wait."""
LINES = 5
"""Refused requests a minute that have a line of their own in the log."""
MAX_REMEMBERED = 5_000
"""Addresses counted one by one in a minute; whoever has more than that is counted as one."""
UNKNOWN_SECONDS = 10.0
"""For so long an address that was not found is not looked up again. Nobody can know one before it was made."""
REST, MAX_KEY_LENGTH = "the rest", 50


class Floods:
    """The refused requests of this process within the running minute."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since = -WINDOW_SECONDS
        self._counts: Counter[str] = Counter()
        self._lines = 0
        self._untold: Counter[str] = Counter()
        self._unknown: dict[str, float] = {}
        self._timer: threading.Timer | None = None

    def count(self, *, public_id: str, address: str) -> float:
        """Count one refused request; return for how many seconds its sender has to wait, 0 while it is no flood."""
        with self._lock:
            ends_in = self._seconds_left()
            of_the_endpoint = self._add(f"endpoint {public_id[:MAX_KEY_LENGTH]}")
            of_the_address = self._add(f"address {address[:MAX_KEY_LENGTH]}")
        is_flood = of_the_endpoint > MAX_OF_AN_ENDPOINT or of_the_address > MAX_OF_AN_ADDRESS
        return ends_in if is_flood else 0.0

    def _seconds_left(self) -> float:
        """Begin a new minute when the last one is over; return how much of it is left."""
        now = monotonic()
        if now - self._since >= WINDOW_SECONDS:
            self._since, self._lines = now, 0
            self._counts.clear()
        return self._since + WINDOW_SECONDS - now

    def _add(self, key: str) -> int:
        if key not in self._counts and len(self._counts) >= MAX_REMEMBERED:
            key = REST
        self._counts[key] += 1
        return self._counts[key]

    def tell(self, words: str, *, level: int = logging.WARNING) -> None:
        """Write a line to the log for the first few of a minute; the others are summed up in one line at its end."""
        with self._lock:
            self._seconds_left()
            self._lines += 1
            has_line = self._lines <= LINES
            if not has_line and not self._untold:
                self._sum_up_later()
            if not has_line:
                self._untold[words] += 1
        if has_line:
            logger.log(level, "%s", words)

    def _sum_up_later(self) -> None:
        self._timer = threading.Timer(WINDOW_SECONDS, self.sum_up)
        self._timer.daemon = True
        self._timer.start()

    def sum_up(self) -> None:
        """Write down what had no line of its own."""
        with self._lock:
            untold, self._untold = self._untold, Counter()
        if untold:
            words = ", ".join(f"{number} x {words}" for words, number in untold.most_common())
            logger.warning("within a minute, without a line each: %s", words)

    def is_unknown(self, public_id: str) -> bool:
        """Say whether this address was looked for in vain a moment ago."""
        return bool(self._unknown) and monotonic() < self._unknown.get(public_id, 0.0)

    def note_unknown(self, public_id: str) -> None:
        with self._lock:
            if len(self._unknown) >= MAX_REMEMBERED:
                self._unknown.clear()
            self._unknown[public_id] = monotonic() + UNKNOWN_SECONDS

    def forget(self) -> None:
        """Begin anew."""
        with self._lock:
            self._since = -WINDOW_SECONDS
            self._unknown.clear()
            self._untold.clear()
            if self._timer is not None:
                self._timer.cancel()


floods = Floods()


def refuse(reason: str, words: str, *, public_id: str, address: str) -> float:
    """Count and write down one refused request; return for how many seconds its sender has to wait, 0 for a plain refusal.

    `reason` is the label in the metrics, `words` is ours: nothing of the request is in it.
    """
    REJECTED.labels(reason).inc()
    wait = floods.count(public_id=public_id, address=address)
    if wait:
        FLOODED.inc()
    floods.tell(f"a delivery was refused: {words}")
    return wait
