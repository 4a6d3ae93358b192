"""Moments whose age can be told even when the machine's clock was set in between."""

import time
from functools import cache
from pathlib import Path

SKEW_SECONDS = 2.5
"""How far the clocks of two machines may be apart."""

type Moment = tuple[float, str, float]
"""Seconds since the epoch, the boot of the machine, seconds since that boot. Survives JSON, as a list."""


@cache
def boot() -> str:
    """Name the running of this machine, for all its processes and containers; empty where the system does not tell."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def moment() -> Moment:
    return time.time(), boot(), time.monotonic()


def age_of(then: Moment) -> float:
    """Say how many seconds ago a moment was, rather too few than too many.

    Exact on the machine that took it. Another one's clock may be ahead or behind, so that a moment may even lie in the future:
    the answer is negative then.
    """
    wall, its_boot, up = then
    if its_boot and its_boot == boot():
        return time.monotonic() - up
    return time.time() - wall - SKEW_SECONDS
