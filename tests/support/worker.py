"""A worker in the test's own process: it takes what is enqueued by its name, as a real one does, and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from portal.celery import app


@contextmanager
def worker() -> Iterator[list[str]]:
    """Run every task that is enqueued inside, those that these enqueue included; yields the names as they are taken.

    A name that no worker knows raises NotRegistered. Needs callbacks at commit to run: transaction=True, or captured ones.
    """
    taken: list[str] = []

    def take(name: str, args: tuple[Any, ...] = (), **_: Any) -> None:
        taken.append(name)
        app.tasks[name](*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "send_task", take)
        yield taken
