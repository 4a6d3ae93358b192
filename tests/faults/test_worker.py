"""The worker is killed, or the broker forgets: every delivery is handled, and its effect is there once."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.house import House, Inside
from tests.support.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

BACKLOG = 6000
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
    fill(house, tenant["path"], BACKLOG)
    house.wipe_broker()
    kills = 0
    while kills < KILLS and (left := inside.do("waiting", **key)):
        worker = house.worker()
        until(lambda left=left: has_begun(inside, key, left), what="a worker in mid-work")
        time.sleep(random.uniform(0, 0.15))
        worker.kill()
        kills += 1
        inside.do("pass_lease", **key)
        house.wipe_broker()
    assert kills >= 3
    house.worker()
    inside.do("ring", **key, times=4)
    until(lambda: not settle(inside, key), seconds=90, what="the rest")
    assert inside.do("attempts", **key), "no kill has hit a worker at work"
    check_each_effect_once(inside, tenant["tenant_id"], BACKLOG)


def has_begun(inside: Inside, key: dict[str, int], left: int) -> bool:
    """Say whether work was done. Ring before: a bell is heard for some seconds only, and a worker may take longer to start."""
    inside.do("ring", **key, times=1)
    return int(inside.do("waiting", **key)) < left


def settle(inside: Inside, key: dict[str, int]) -> int:
    """Return what is left, and ring for it: a delivery whose worker died waits for its next try."""
    left = int(inside.do("waiting", **key))
    if left:
        inside.do("ring", **key, times=1)
        time.sleep(0.5)
    return left
