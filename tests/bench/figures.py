"""What comes of simulated days, and the platform's own count of them."""

import math
from dataclasses import dataclass, field

LIMIT, LIMIT_SECONDS = 5, 60.0
"""The platform's, not the portal's with its margin."""


@dataclass
class Figures:
    """What came of one policy in one scenario after the warm-up; lists of seconds."""

    code_seconds: float
    """After how long a code that waits is lost."""
    stale: list[float] = field(default_factory=list)
    """From an event received to its object fetched."""
    people: list[float] = field(default_factory=list)
    """Of everybody who needed a live token."""
    gate: list[float] = field(default_factory=list)
    """Of everybody who connects, before the consent screen."""
    codes: list[float] = field(default_factory=list)
    """Of each code, until its exchange."""
    calls: list[float] = field(default_factory=list)
    """When each was made, the warm-up included."""
    calls_an_hour: float = 0.0

    @property
    def lost(self) -> int:
        return sum(wait > self.code_seconds for wait in self.codes)

    @property
    def over_the_limit(self) -> int:
        return over_the_limit(self.calls)


def over_the_limit(calls: list[float]) -> int:
    """Count the calls that were the sixth or a later one within a minute."""
    return sum(later - earlier < LIMIT_SECONDS for earlier, later in zip(calls, calls[LIMIT:], strict=False))


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else math.nan
