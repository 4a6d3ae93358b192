"""Commits inside of a test's transaction: what waits for one runs where it would in earnest, in the same scope.

A test's database is one transaction that is never committed. A block of it stands for a transaction of its own: when it ends,
so do the calls that were made for its commit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.transaction import Atomic


class Commits:
    """Knows how deep the test itself is in blocks of its own."""

    def __init__(self) -> None:
        self.depth = len(connection.savepoint_ids)
        self._leave, self._wait = Atomic.__exit__, BaseDatabaseWrapper.on_commit

    @property
    def is_outside(self) -> bool:
        """Whether no transaction of the portal is open."""
        return len(connection.savepoint_ids) <= self.depth

    def leave(self, atomic: Atomic, *error: Any) -> None:
        self._leave(atomic, *error)
        while self.is_outside and connection.run_on_commit:
            _, work, _ = connection.run_on_commit.pop(0)
            work()

    def wait(self, wrapper: BaseDatabaseWrapper, work: Any, robust: bool = False) -> None:
        if self.is_outside:
            work()
        else:
            self._wait(wrapper, work, robust)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Be inside of one more block of the test's own."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


@contextmanager
def commits() -> Iterator[Commits]:
    made = Commits()
    leave = lambda atomic, *error: made.leave(atomic, *error)  # noqa: E731 - a method of the class
    wait = lambda wrapper, work, robust=False: made.wait(wrapper, work, robust)  # noqa: E731
    with patch.object(Atomic, "__exit__", leave), patch.object(BaseDatabaseWrapper, "on_commit", wait):
        yield made
