"""Everything at once: thousands of events while workers die, the broker forgets and the database goes away."""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pytest

from tests.faults.children import Child, Inside
from tests.faults.database import away
from tests.faults.grants import A_MINUTE, name_of
from tests.faults.history import Message, make_history
from tests.faults.house import ON_SERVICES, House, control
from tests.faults.load import Pile
from tests.support.polls import until

pytestmark = [pytest.mark.faults, pytest.mark.long]

OBJECTS = 200
EVENTS = 5000 if ON_SERVICES else 2000
"""On SQLite each delivery is a durable commit behind the one writer there is, and the workers write too: five thousand, each
repeated, would take minutes on two processors that also start the workers anew."""
LIVE = 300
"""So many of the events happen and are sent by the platform while the others are delivered late, by a pile of copies."""
COPIES, WEIGHTS = (1, 2, 3, 4, 5), (8, 4, 2, 1, 1)
AWAY_SECONDS = 5.0
"""Longer than a delivery waits for another writer (4 s)."""
KILLS = 6
STATUS_CHANGED = "v1.questionnaire.status-changed"
FINAL = {"done", "ignored"}


@dataclass
class Busy:
    """A connected tenant whose platform has much to tell."""

    house: House
    platform: str
    platform_id: str
    inside: Inside
    key: dict[str, int]
    path: str

    def start_worker(self) -> Child:
        return self.house.worker(clock=True, PLATFORM_API_URL=self.platform)

    def pass_minute(self) -> None:
        """Let a minute pass on both sides, at the platform first: its limit must not be met before ours is."""
        control(self.platform, "POST", "/clock", advance_seconds=A_MINUTE)
        self.inside.do("pass_time", **self.key)
        self.inside.do("ring", **self.key, times=1)

    def let_one_happen(self, ids: list[str]) -> str:
        """Have the platform change a questionnaire and tell of it by itself."""
        event = {"tenant_id": self.platform_id, "type": STATUS_CHANGED, "object_id": random.choice(ids)}
        return str(control(self.platform, "POST", "/events", **event)["hook_id"])

    def there(self, kind: str) -> dict[str, Any]:
        return {row["id"]: row for row in control(self.platform, "GET", f"/objects/{self.platform_id}/{kind}")}


@contextmanager
def busy(house: House, name: str, events: int) -> Iterator[tuple[Busy, list[Message]]]:
    seed = int(os.environ.get("BIG_RUN_SEED") or random.randrange(10**6))
    random.seed(seed)
    print(f"BIG_RUN_SEED={seed}")
    platform_id, messages = make_history(house.folder / name, objects=OBJECTS, messages=events, seed=seed)
    with house.sandbox(name) as platform:
        inside = house.inside(PLATFORM_API_URL=platform)
        made = inside.do("connect_new", name=name, platform_id=platform_id)
        key = {"tenant_id": made["tenant_id"]}
        inside.do("put_comparisons_off", **key)
        inside.do("open_ledger")
        house.web(PLATFORM_API_URL=platform)
        address = {"tenant_id": platform_id, "url": house.url + made["path"]}
        inside.do("take_secret", **key, secret=control(platform, "POST", "/endpoints", **address)["secret"])
        yield Busy(house, platform, platform_id, inside, key, made["path"]), messages


def test_q01_thousands_of_events_through_every_fault_end_in_an_equal_mirror(house: House):
    with busy(house, name_of("bigrun"), EVENTS - LIVE) as (world, messages):
        copies = [copy for copy in messages for _ in range(*random.choices(COPIES, WEIGHTS))]
        random.shuffle(copies)
        with Pile(house, world.path, copies) as pile:
            told = go_through_everything(world, pile, len(copies))
            pile.wait()
        let_it_settle(world, EVENTS)
        assert pile.taken == len(copies)
        assert pile.refused, "the database was away and nobody noticed"
        check_accounts(world, [*told, *(message.hook_id for message in messages)])
        check_mirror(world)


def go_through_everything(world: Busy, pile: Pile, copies: int) -> list[str]:
    """Kill, wipe and cut while the pile is delivered; return the ids of what the platform has told by itself meanwhile."""
    ids, told = [*world.there("questionnaires")], []
    workers = [world.start_worker(), world.start_worker()]
    strikes = {1: world.house.wipe_broker, KILLS // 2: lambda: cut(world), KILLS - 1: world.house.wipe_broker}
    for kill in range(KILLS):
        told += [world.let_one_happen(ids) for _ in range(LIVE // KILLS)]
        until(lambda kill=kill: pile.taken >= copies * kill // KILLS, seconds=180, what="the pile")
        until(lambda: is_at_work(world), seconds=120, what="a worker at work")
        time.sleep(random.uniform(0, 0.3))
        workers.pop(0).kill()
        workers.append(world.start_worker())
        pile.let_through(copies * (kill + 1) // KILLS)
        if kill in strikes:
            strikes[kill]()
    return told


def is_at_work(world: Busy) -> bool:
    """Say whether a worker has deliveries in its hands. It is given something to do before."""
    world.pass_minute()
    time.sleep(0.1)
    return bool(world.inside.do("claimed", **world.key)) or not world.inside.do("left", **world.key)["deliveries"]


def cut(world: Busy) -> None:
    with away(world.house):
        time.sleep(AWAY_SECONDS)


def let_it_settle(world: Busy, events: int) -> None:
    """Let minute after minute pass until all is told, handled and fetched."""
    deadline = time.monotonic() + 180
    while len(world.inside.do("states", **world.key)) < events or any(world.inside.do("left", **world.key).values()):
        assert time.monotonic() < deadline, world.inside.do("left", **world.key)
        world.pass_minute()
        time.sleep(0.5)


def check_accounts(world: Busy, told: list[str]) -> None:
    """One row for each message, each in a final state, and each settled exactly once."""
    assert len(told) == EVENTS
    states = world.inside.do("states", **world.key)
    assert Counter(hook_id for hook_id, _ in states) == Counter(told)
    assert {state for _, state in states} <= FINAL, Counter(state for _, state in states)
    assert Counter(world.inside.do("close_ledger", **world.key)) == Counter(told)


def check_mirror(world: Busy) -> None:
    for kind, here in world.inside.do("mirror", **world.key).items():
        there = world.there(kind)
        assert here.keys() == there.keys(), kind
        different = [object_id for object_id, row in there.items() if here[object_id] != row]
        assert not different, (kind, list(islice(different, 3)))
