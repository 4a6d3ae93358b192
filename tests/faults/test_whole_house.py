"""O1: the machine of one person, without any server: all of it is killed at once, again and again, under load."""

import random
import sqlite3
import time
from contextlib import closing

import pytest

from tests.faults.children import Inside
from tests.faults.house import ON_SERVICES, House
from tests.faults.load import Load
from tests.support.polls import until
from tests.support.sizes import LIMIT, size

pytestmark = [
    pytest.mark.faults,
    pytest.mark.long,
    pytest.mark.skipif(ON_SERVICES, reason="about SQLite and the embedded broker"),
]

KILLS = size(15, whole=100)
MAX_SECONDS = 50
"""On a machine that is busy with other things fewer kills fit in."""
FEWEST_KILLS = size(5, whole=100)


@LIMIT
def test_o01_a_house_killed_as_a_whole_again_and_again_loses_nothing(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Powerless")
    key = {"tenant_id": tenant["tenant_id"]}
    kills, end = 0, time.monotonic() + MAX_SECONDS
    # Few and slow clients: the time is for deaths, and what they leave has to be worked off.
    with Load(house, tenant["path"], clients=3, pause=0.01) as load:
        while kills < KILLS and (time.monotonic() < end or kills < FEWEST_KILLS):
            all_of_it, before = house.web_and_worker(), len(load.acknowledged)
            until(lambda before=before: len(load.acknowledged) > before, seconds=60, what="an acknowledged delivery")
            # Every other time the worker has had the time to start, too.
            time.sleep(random.uniform(0, 0.5) + kills % 2 * 1.5)
            all_of_it.kill()
            kills += 1
            inside.do("pass_time", **key)
    assert load.unanswered
    house.web_and_worker()
    until(lambda: not left(inside, key), seconds=120, what="the rest")
    states = dict(inside.do("states", **key))
    assert set(load.acknowledged) <= states.keys()
    assert set(states.values()) == {"done"}
    # Each object was told of once, so it was marked once.
    effects = inside.do("effects", **key)
    assert (len(effects), set(effects.values())) == (len(states), {1})
    with closing(sqlite3.connect(house.folder / "portal.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def left(inside: Inside, key: dict[str, int]) -> int:
    inside.do("pass_time", **key)
    inside.do("ring", **key, times=1)
    time.sleep(0.5)
    return int(inside.do("waiting", **key))
