"""How patient the client is by itself, before whoever called has to be."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from portal.platform_api.errors import RateLimited, TemporaryError, Unavailable


@dataclass(frozen=True, kw_only=True)
class Retries:
    """Tries again after a growing, random wait ("full jitter"), so that many callers do not come back together."""

    attempts: int = 3
    """How often a call leaves at most."""
    first_seconds: float = 0.5
    """The longest first wait; it doubles from attempt to attempt."""
    longest_seconds: float = 8.0
    """A wait that the platform asks for and that is longer than this is left to the caller."""
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.SystemRandom().random

    def wait(self, error: TemporaryError, *, attempt: int) -> float | None:
        """Return how many seconds to wait before the next attempt, None when there is to be none."""
        if attempt >= self.attempts or not may_repeat(error):
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest_seconds else None
        longest: float = min(self.longest_seconds, self.first_seconds * 2 ** (attempt - 1))
        return self.random() * longest


def may_repeat(error: TemporaryError) -> bool:
    """Say whether once more cannot mean twice: nothing was done, or doing it again changes nothing."""
    match error:
        case RateLimited():
            return True
        case Unavailable():
            return error.is_idempotent or not error.sent
    return False


NEVER: Final = Retries(attempts=1)
"""Every failure is the caller's: for work that waits in rows of its own."""
