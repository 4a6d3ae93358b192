"""The worker is killed, or the broker forgets: every delivery is handled, and its effect is there once."""

import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.children import Inside
from tests.faults.house import House
from tests.support.polls import until

pytestmark = [pytest.mark.faults, pytest.mark.long]

BACKLOG, FAMILY_BACKLOG = 6000, 3000
GLANCES = 30
KILLS = 6
SWEPT_WITHIN = 60


def fill(house: House, path: str, count: int) -> None:
    """Deliver a backlog while no worker runs."""
    web = house.web()
    with ThreadPoolExecutor(6) as clients:
        numbers = range(count)
        statuses = clients.map(lambda number: house.post(path, f"msg_{number}", f"q{number}"), numbers)
        assert set(statuses) == {204}
    web.kill()


def check_each_effect_once(inside: Inside, tenant_id: int, count: int) -> None:
    states = inside.do("deliveries", tenant_id=tenant_id)
    assert len(states) == count
    assert set(states.values()) == {"done"}
    effects = inside.do("effects", tenant_id=tenant_id)
    assert len(effects) == count
    assert set(effects.values()) == {1}


def test_q01_a_broker_that_forgets_everything_loses_nothing(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Forgetful")
    fill(house, tenant["path"], 200)
    assert house.wipe_broker() > 0
    house.worker(clock=True)
    waiting = {"tenant_id": tenant["tenant_id"]}
    until(lambda: not inside.do("waiting", **waiting), seconds=SWEPT_WITHIN, what="the sweep")
    check_each_effect_once(inside, tenant["tenant_id"], 200)


def test_q02_a_worker_killed_at_any_moment_leaves_no_effect_without_its_mark(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Mortal")
    key = {"tenant_id": tenant["tenant_id"]}
    inside.do("put", **key, object_ids=[f"q{number}" for number in range(BACKLOG)])
    kill_at_work(house, inside, key)
    kills = 1
    while kills < KILLS and (left := inside.do("waiting", **key)):
        worker = house.worker()
        until(lambda left=left: has_begun(inside, key, left), what="a worker in mid-work")
        time.sleep(random.uniform(0, 0.15))
        worker.kill()
        kills += 1
        inside.do("pass_time", **key)
        house.wipe_broker()
    assert kills >= 3
    house.worker()
    inside.do("ring", **key, times=4)
    until(lambda: not record_outcome(inside, key), seconds=90, what="the rest")
    assert inside.do("attempts", **key), "no kill has hit a worker at work"
    check_each_effect_once(inside, tenant["tenant_id"], BACKLOG)


@pytest.mark.parametrize("victim", ["parent", "child"])
def test_q05_what_a_killed_worker_had_in_its_hands_is_done_by_the_sweep_within_its_lease(house: House, victim: str):
    """A worker of a parent and a child, as in production. Only the clock tells the next one: the broker has forgotten."""
    inside = house.inside()
    key = {"tenant_id": inside.do("new_tenant", name=f"Killed{victim}")["tenant_id"]}
    inside.do("put", **key, object_ids=[f"q{number}" for number in range(FAMILY_BACKLOG)])
    worker = house.worker("--concurrency", "1", pool="prefork")
    (parent,) = until(lambda: children_of(worker.process.pid), seconds=60, what="the worker under its supervisor")
    (child,) = until(lambda: children_of(parent), seconds=60, what="the child")
    until(lambda: is_caught_at_work(inside, key, child), seconds=60, what="a worker at work")
    os.kill(parent if victim == "parent" else child, signal.SIGKILL)
    house.wipe_broker()
    if victim == "parent":
        os.kill(child, signal.SIGCONT)
        # It notices at the end of its task; nobody has to look for it.
        until(lambda: not Path(f"/proc/{child}").exists(), seconds=60, what="the end of the orphan")
    else:
        assert inside.do("claimed", **key)
        worker.kill()
    inside.do("pass_time", **key)
    house.worker(clock=True)
    until(lambda: not inside.do("waiting", **key), seconds=SWEPT_WITHIN, what="the sweep")
    check_each_effect_once(inside, key["tenant_id"], FAMILY_BACKLOG)


def kill_at_work(house: House, inside: Inside, key: dict[str, int]) -> None:
    """Kill a worker that has something in its hands; at random moments that may be none of many."""
    worker = house.worker()
    (process,) = until(lambda: children_of(worker.process.pid), seconds=60, what="the worker under its supervisor")
    until(lambda: is_caught_at_work(inside, key, process), seconds=60, what="a worker at work")
    worker.kill()
    inside.do("pass_time", **key)
    house.wipe_broker()


def is_caught_at_work(inside: Inside, key: dict[str, int], child: int) -> bool:
    """Freeze the process again and again, for a moment each time, until it has something in its hands."""
    inside.do("ring", **key, times=1)
    for _ in range(GLANCES):
        os.kill(child, signal.SIGSTOP)
        if inside.do("claimed", **key):
            return True
        os.kill(child, signal.SIGCONT)
        time.sleep(0.01)
    return False


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def has_begun(inside: Inside, key: dict[str, int], left: int) -> bool:
    """Say whether work was done. Ring before: a bell is heard for some seconds only, and a worker may take longer to start."""
    inside.do("ring", **key, times=1)
    return int(inside.do("waiting", **key)) < left


def record_outcome(inside: Inside, key: dict[str, int]) -> int:
    """Return what is left, and ring for it: a delivery whose worker died waits for its next try."""
    left = int(inside.do("waiting", **key))
    if left:
        inside.do("ring", **key, times=1)
        time.sleep(0.5)
    return left
