"""One connected tenant for many cases: made once, in a transaction around them, and for each of them as if it were new.

To connect a tenant takes a fifth of a second and to copy its lists several, and two thousand cases begin with that. A case
shares when it uses the root's `connected` as it stands and does not commit; `@pytest.mark.own_world` keeps one out. What the
room's own fixture does to the tenant before the case begins is its `Step`, and is done once as well.
"""

import functools
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from portal.tenants.scope import tenant_scope

type Step = Callable[[Any, str], None]
"""Called in the tenant's scope with the sandbox and the id that the tenant has there."""
type Maker = Callable[[tuple[Step, ...]], tuple[dict[str, Any], sqlite3.Connection]]
"""Makes a world, in the transaction that it is called in; returns the values of its fixtures and the sandbox's data."""

OF_WORLD = ("alice", "acme", "sandbox", "platform_tenant", "connected")
ROOT = "tests.conftest"
TOUCHES_DATABASE = {"db", "transactional_db", "live_server", "django_db_setup"}


def after(step: Step) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a fixture of `connected`, `sandbox` and `platform_tenant` find the tenant as `step` leaves it."""

    def decorate(fixture: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fixture)
        def run(**values: Any) -> Any:
            if not keeper.has_done(step):
                with tenant_scope(values["connected"].tenant_id):
                    step(values["sandbox"], values["platform_tenant"]["tenant_id"])
            return fixture(**values)

        run.step = step  # type: ignore[attr-defined]
        return run

    return decorate


@dataclass
class World:
    """What is shared: values of fixtures, and the sandbox's data beside what is in the transaction."""

    steps: tuple[Step, ...]
    values: dict[str, Any]
    data: sqlite3.Connection
    undo: ExitStack

    def copy(self, name: str) -> Any:
        return deepcopy(self.values[name])


class Keeper:
    """Keeps the one world that there is, if any, until a case wants another one or none."""

    def __init__(self) -> None:
        self.world: World | None = None
        self._make: Maker | None = None
        self._blocker: DjangoDbBlocker | None = None

    def start(self, make: Maker, blocker: DjangoDbBlocker) -> None:
        """Keep worlds from now on: there are tables, and `make` fills them."""
        self._make, self._blocker = make, blocker

    def end(self) -> None:
        self.close()
        self._make = None

    def has_done(self, step: Step) -> bool:
        return self.world is not None and step in self.world.steps

    def prepare(self, item: pytest.Item) -> None:
        """Have the world that a case wants, before any of its fixtures is made."""
        steps = steps_of(item)
        if self.world and self.world.steps != steps and (steps is not None or touches_database(item)):
            self.close()
        if self.world is None and steps is not None:
            self._open(steps)

    def _open(self, steps: tuple[Step, ...]) -> None:
        if self._make is None or self._blocker is None:
            return
        with self._blocker.unblock(), ExitStack() as undo:
            around = transaction.atomic()
            # What has to be outermost takes a test's transaction for none.
            around._from_testcase = True  # type: ignore[attr-defined]
            around.__enter__()
            undo.callback(_roll_back, around)
            values, data = self._make(steps)
            self.world = World(steps, values, data, undo.pop_all())

    def close(self) -> None:
        if self.world and self._blocker:
            undo, self.world = self.world.undo, None
            with self._blocker.unblock():
                undo.close()


def _roll_back(around: transaction.Atomic) -> None:
    transaction.set_rollback(True)
    around.__exit__(None, None, None)


keeper = Keeper()


def share(fixture: Callable[..., Any]) -> Callable[..., Any]:
    """Let a fixture of the root give each case its own copy of what the shared world has of that name."""

    @functools.wraps(fixture)
    def run(**values: Any) -> Any:
        return keeper.world.copy(fixture.__name__) if keeper.world else fixture(**values)

    return run


def steps_of(item: pytest.Item) -> tuple[Step, ...] | None:
    """Return what has to be done to the shared world for a case; None for a case that shares none."""
    found = getattr(item, "_fixtureinfo", None)
    if found is None or "connected" not in found.names_closure or item.get_closest_marker("own_world"):
        return None
    mark = item.get_closest_marker("django_db")
    if {"transactional_db", "live_server"} & {*found.names_closure} or (mark and mark.kwargs.get("transaction")):
        return None
    last = {name: found.name2fixturedefs[name][-1] for name in found.names_closure if name in found.name2fixturedefs}
    if any(last[name].func.__module__ != ROOT for name in OF_WORLD):
        return None
    steps: list[Step] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        # An overriding fixture asks for its own name.
        if name in last and name not in seen:
            seen.add(name)
            for needed in last[name].argnames:
                visit(needed)
            steps.extend([last[name].func.step] if hasattr(last[name].func, "step") else [])

    for name in found.names_closure:
        visit(name)
    return tuple(steps)


def in_order(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return the cases room by room; in each room those that share a world come first, and follow each other.

    Whoever meets the database without a world ends the one that there is: a room whose files take turns would make its world
    anew for every file, in each process of the run.
    """
    rooms: dict[Path, int] = {}
    worlds: dict[tuple[Step, ...] | None, int] = {}

    def place(item: pytest.Item) -> tuple[int, bool, int]:
        steps = steps_of(item)
        return rooms.setdefault(item.path.parent, len(rooms)), steps is None, worlds.setdefault(steps, len(worlds))

    return sorted(items, key=place)


def touches_database(item: pytest.Item) -> bool:
    return bool(TOUCHES_DATABASE & {*getattr(item, "fixturenames", ())}) or item.get_closest_marker("django_db") is not None
