"""H1: PostgreSQL crashes under load, and every delivery that was acknowledged is there afterwards."""

import random
import time
from pathlib import Path

import pytest

from tests.faults.cluster import find_binaries, own_cluster
from tests.faults.house import ON_SERVICES, House
from tests.faults.load import Load
from tests.support.optional_programs import do_without
from tests.support.polls import until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not ON_SERVICES, reason="about PostgreSQL"),
]

CRASHES, LEAST_BETWEEN = 3, 200


def test_h01_what_was_acknowledged_survives_crashes_of_the_database(tmp_path: Path):
    binaries = find_binaries()
    if binaries is None:
        do_without("no PostgreSQL to start and crash: initdb and pg_ctl are not installed")
    with own_cluster(binaries) as cluster:
        house = House(tmp_path, database_url=cluster.url)
        house.build()
        try:
            inside = house.inside()
            tenant = inside.do("new_tenant", name="Crashing")
            house.web()
            with Load(house, tenant["path"]) as load:
                for _ in range(CRASHES):
                    before = len(load.acknowledged)
                    wait_for_more(load, before + LEAST_BETWEEN)
                    time.sleep(random.uniform(0, 0.5))
                    cluster.crash()
                    cluster.start()
                # The web process was not started anew: it finds its way back by itself.
                wait_for_more(load, len(load.acknowledged) + LEAST_BETWEEN)
            kept = inside.do("deliveries", tenant_id=tenant["tenant_id"])
            assert len(load.acknowledged) > CRASHES * LEAST_BETWEEN
            assert set(load.acknowledged) <= kept.keys()
        finally:
            house.tear_down()


def wait_for_more(load: Load, count: int) -> None:
    until(lambda: len(load.acknowledged) > count, seconds=60, what="acknowledged deliveries")
