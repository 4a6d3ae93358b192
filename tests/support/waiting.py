"""Waiting for another process, with an end."""

import time
from collections.abc import Callable


def until[T](found: Callable[[], T | bool | None], *, seconds: float = 30, what: str = "") -> T:
    """Ask again and again until the answer is true, and return it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := found():
            return answer  # type: ignore[return-value]
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds} s in vain{what and ' for '}{what}")
