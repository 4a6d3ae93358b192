"""The database fails over: a replica takes over under load, and nothing that was acknowledged is lost or done twice."""

from pathlib import Path

import pytest

from tests.faults.broker import Proxy
from tests.faults.cluster import find_binaries, own_cluster, own_replica, url_at
from tests.faults.house import ON_SERVICES, House
from tests.faults.load import Load
from tests.support.optional_programs import do_without
from tests.support.polls import until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not ON_SERVICES, reason="about PostgreSQL"),
]

LEAST_BEFORE, LEAST_AFTER = 200, 200
HANDLED_WITHIN = 120


def test_h01_what_was_acknowledged_survives_a_replica_that_takes_over(tmp_path: Path):
    binaries = find_binaries()
    if binaries is None:
        do_without("no PostgreSQL to start and crash: initdb and pg_ctl are not installed")
    with own_cluster(binaries) as primary, own_replica(binaries, primary) as replica:
        # As operators have it: one address, behind which another server stands afterwards.
        proxy = Proxy(primary.port)
        house = House(tmp_path, database_url=url_at(proxy.port))
        house.build()
        try:
            inside = house.inside()
            key = {"tenant_id": (tenant := inside.do("new_tenant", name="Followed"))["tenant_id"]}
            house.web()
            house.worker(clock=True)
            with Load(house, tenant["path"], clients=3, pause=0.01) as load:
                wait_for_more(load, LEAST_BEFORE)
                proxy.cut()
                primary.crash()
                replica.promote()
                proxy.lead_to(replica.port)
                proxy.mend()
                wait_for_more(load, len(load.acknowledged) + LEAST_AFTER)
            until(lambda: not inside.do("waiting", **key), seconds=HANDLED_WITHIN, what="the rest")
            states, effects = inside.do("deliveries", **key), inside.do("effects", **key)
            assert set(load.acknowledged) <= states.keys()
            assert set(states.values()) == {"done"}
            assert (len(effects), set(effects.values())) == (len(states), {1})
        finally:
            house.tear_down()
            proxy.close()


def wait_for_more(load: Load, count: int) -> None:
    until(lambda: len(load.acknowledged) > count, seconds=60, what="acknowledged deliveries")
