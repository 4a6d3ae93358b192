"""The portal's workers in this process: whatever is rung for runs at once, and the clock's tasks when a test says so."""

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from celery.app.task import Task

from portal.celery import app
from portal.connections.models import CallWindow
from portal.lib import enqueue
from portal.tenants.scope import all_tenants

MAX_TASKS = 60
"""In one turn: work that rings for itself for ever is a fault."""


class Workers:
    """Runs tasks. What nobody knows by its name is kept in `unknown`."""

    def __init__(self) -> None:
        self.queue: deque[tuple[str, tuple[Any, ...]]] = deque()
        self.messages: list[str] = []
        """Everything that a broker would have held."""
        self.unknown: set[str] = set()
        self.failed: list[str] = []

    def take(self, name: str, args: Any) -> None:
        if (entry := (name, tuple(args or ()))) not in self.queue:
            self.queue.append(entry)

    def work(self) -> None:
        """Run what was rung for, until nothing is left."""
        for _ in range(MAX_TASKS):
            if not self.queue:
                return
            name, args = self.queue.popleft()
            self.run(name, *args)
        self.failed.append(f"work without an end: {[name for name, _ in self.queue][:3]}")
        self.queue.clear()

    def run(self, name: str, *args: Any) -> None:
        task = app.tasks.get(name)
        if task is None:
            self.unknown.add(name)
            return
        with all_tenants("the calls of a minute are not what these tests are about"):
            CallWindow.objects.all().delete()
        try:
            task.run(*args)
        except Exception as error:  # a worker goes on with its next task; the test tells
            self.failed.append(f"{name}: {type(error).__name__}: {error}"[:300])

    def tick(self, *names: str) -> None:
        """Let the clock ring for these sweeps, or all, and work."""
        for entry in app.conf.beat_schedule.values():
            if not names or entry["task"].rpartition(".")[2] in names:
                self.run(entry["task"])
        self.work()


class FailedTurns(logging.Handler):
    """Notes what failed in the turn of one tenant: its sweep logs it, and goes on with the others."""

    def __init__(self, failed: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.failed = failed

    def emit(self, record: logging.LogRecord) -> None:
        self.failed.append(record.getMessage())


@contextmanager
def workers() -> Iterator[Workers]:
    """Have every task that is asked for land here."""
    made = Workers()
    turns, handler = logging.getLogger("portal.tenants.turns"), FailedTurns(made.failed)

    def send_task(name: str, args: Any = None, **options: Any) -> None:
        made.messages.append(repr((name, args, options)))
        made.take(name, args)

    def apply_async(self: Task, args: Any = None, kwargs: Any = None, **options: Any) -> None:
        made.messages.append(repr((self.name, args, kwargs, options)))
        made.take(self.name, args)

    app.loader.import_default_modules()
    with (
        # An earlier test may have met a broker that was down: nothing is asked of it for some seconds then.
        patch.object(enqueue, "_silent_until", 0.0),
        patch.object(enqueue, "_last_sent", {}),
        # On the application itself: another test may have left a method of its own there.
        patch.object(app, "send_task", send_task),
        patch.object(Task, "apply_async", apply_async),
    ):
        turns.addHandler(handler)
        try:
            yield made
        finally:
            turns.removeHandler(handler)
