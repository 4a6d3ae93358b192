"""What the live server still has in hand: a browser that has gone away leaves requests behind, and they write."""

import time
from typing import Any

from django.core.servers.basehttp import ServerHandler

from tests.support.polls import until

QUIET_LOOKS, LOOK_SECONDS = 3, 0.01
"""A request may have been sent and not begun yet."""
_in_hand: set[int] = set()


def note_requests() -> None:
    """Have every server of this process note which requests it works on."""
    run = ServerHandler.run

    def noted(self: Any, application: Any) -> None:
        _in_hand.add(id(self))
        try:
            run(self, application)
        finally:
            _in_hand.discard(id(self))

    ServerHandler.run = noted  # type: ignore[method-assign]


def wait_for_requests() -> None:
    """Return once nothing is worked on any more, for three looks in a row."""
    for _ in range(QUIET_LOOKS):
        time.sleep(LOOK_SECONDS)
        until(lambda: not _in_hand, seconds=30, what=lambda: f"the end of {len(_in_hand)} requests")
