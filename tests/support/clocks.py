"""The clocks of the portal and of a sandbox in the same process, moved by hand. Nobody sleeps in earnest."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from unittest.mock import patch

import time_machine

from portal.connections.services import connect, leases, tokens
from portal.lib import clock
from portal.sandbox.clock import Clock

MODULES = (clock, leases, tokens, connect)
"""Those that look at the monotonic clock, which `time_machine` leaves alone."""

A_MOMENT = 0.001
"""Passes in every sleep, as in earnest; who waits for an end of no time at all would wait for ever."""


class Clocks:
    """Stand still unless they are moved: together, as time passes, or the portal's alone, as when somebody sets it."""

    def __init__(self, traveller: time_machine.Traveller, of_platform: Clock) -> None:
        self._traveller = traveller
        self._of_platform = of_platform
        self._up = 1000.0
        self.while_asleep: Callable[[], None] = lambda: None
        """What others do in between, each `load` seconds of somebody's sleep."""
        self.look = 2.0

    def monotonic(self) -> float:
        return self._up

    def pass_time(self, seconds: float) -> None:
        self._traveller.shift(timedelta(seconds=seconds))
        self._up += seconds

    def set_ahead(self, seconds: float) -> None:
        """Set the portal's clock forward, or back; the platform's and the one that counts from the start are not moved."""
        self._traveller.shift(timedelta(seconds=seconds))
        # They share the process's clock.
        self._of_platform.advance(-seconds)

    def sleep(self, seconds: float) -> None:
        seconds = max(seconds, A_MOMENT)
        while seconds > 0:
            self.pass_time(min(seconds, self.look))
            self.while_asleep()
            seconds -= self.look


@contextmanager
def clocks(of_platform: Clock) -> Iterator[Clocks]:
    """Stop the clocks, and move them by hand."""
    with time_machine.travel(datetime.now(UTC), tick=False) as traveller:
        made = Clocks(traveller, of_platform)
        by_hand = SimpleNamespace(time=time.time, monotonic=made.monotonic, sleep=lambda seconds: made.sleep(seconds))
        patches = [patch.object(module, "time", by_hand) for module in MODULES]
        for each in patches:
            each.start()
        try:
            yield made
        finally:
            for each in patches:
                each.stop()
