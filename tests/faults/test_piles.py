"""Q6 and O7: more deliveries than anybody has hands for, waiting or long handled, hold up nobody."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.house import House, seconds_of
from tests.support.polls import until
from tests.support.sizes import LIMIT, size

pytestmark = [pytest.mark.faults, LIMIT]

FLOOD = size(20_000, whole=100_000)
OLD = size(20_000, whole=1_000_000)
OLD_DAYS = 100
LEAST = 20
"""So many of the others' deliveries say something about most of them."""
HANDLED_SECONDS = 60
ANSWERED_SECONDS = size(2.0, whole=0.1)
"""The whole is tried on a machine that does nothing else."""


def most(seconds: list[float]) -> float:
    """Return what 99 in a hundred stay below."""
    return sorted(seconds)[len(seconds) * 99 // 100]


def test_q06_a_flood_of_one_tenant_keeps_no_other_waiting(house: House):
    inside = house.inside()
    flood = {"tenant_id": inside.do("new_tenant", name="Flooded")["tenant_id"]}
    other = inside.do("new_tenant", name="Beside")
    beside = {"tenant_id": other["tenant_id"]}
    inside.do("pile", **flood, count=FLOOD)
    house.web()
    house.worker(clock=True)
    sent = 0
    while inside.do("waiting", **flood) or sent < LEAST:
        inside.do("ring", **flood, times=1)
        assert house.post(other["path"], f"msg_{sent}", f"q{sent}") == 204
        sent += 1
        time.sleep(0.1)
    until(lambda: not inside.do("waiting", **beside), seconds=HANDLED_SECONDS, what="the last one beside the flood")
    waited = inside.do("waits", **beside)
    assert len(waited) == sent
    assert most(waited) < HANDLED_SECONDS
    # However short the flood is: nobody waits for its end.
    assert inside.do("handled_between", **beside)[0] < inside.do("handled_between", **flood)[1]
    assert set(inside.do("effects", **flood).values()) == {1}
    assert len(inside.do("effects", **flood)) == FLOOD


def test_o07_old_bodies_are_cut_while_deliveries_arrive_and_their_keys_stay(house: House):
    inside, cutting = house.inside(), house.inside()
    tenant = inside.do("new_tenant", name="Old")
    key = {"tenant_id": tenant["tenant_id"]}
    inside.do("pile", **key, count=OLD, days=OLD_DAYS)
    house.web()
    waited: list[float] = []
    statuses: set[int] = set()
    with ThreadPoolExecutor(1) as aside:
        pruned = aside.submit(cutting.do, "prune")
        while not pruned.done() or len(waited) < LEAST:
            name = f"msg_{len(waited)}"
            waited.append(seconds_of(lambda name=name: statuses.add(house.post(tenant["path"], name, name))))
            time.sleep(0.01)
        assert pruned.result() >= OLD
    assert statuses == {204}
    assert most(waited) < ANSWERED_SECONDS
    assert inside.do("bodies", **key) == {"cut": OLD, "whole": len(waited)}
    assert house.post(tenant["path"], "pile_0", "p0") == 204
    assert inside.do("bodies", **key) == {"cut": OLD, "whole": len(waited)}, "a very late duplicate is known"
