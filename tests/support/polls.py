"""Waiting for another process, with an end."""

import time
from collections.abc import Callable


def until[T](found: Callable[[], T | bool | None], *, seconds: float = 30, what: str | Callable[[], str] = "") -> T:
    """Ask again and again until the answer is true, and return it; `what` says what was waited for in vain."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := found():
            return answer  # type: ignore[return-value]
        time.sleep(0.1)
    what = what if isinstance(what, str) else what()
    raise AssertionError(f"waited {seconds} s in vain{what and ' for '}{what}")
