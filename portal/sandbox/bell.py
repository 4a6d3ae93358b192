"""Wakes the threads that wait for work in the database."""

import threading


class Bell:
    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._rings = 0

    @property
    def rings(self) -> int:
        return self._rings

    def ring(self) -> None:
        with self._condition:
            self._rings += 1
            self._condition.notify_all()

    def wait(self, heard: int, *, seconds: float) -> None:
        """Wait for a ring after the ones already heard, at most so long."""
        with self._condition:
            self._condition.wait_for(lambda: self._rings != heard, timeout=seconds)
