"""H5: PostgreSQL keeps its connections and answers nothing, as with a stopped disk: the sender is told to come again."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.cluster import Cluster, find_binaries, own_cluster
from tests.faults.house import ON_SERVICES, House, seconds_of
from tests.support.optional_programs import do_without

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not ON_SERVICES, reason="about PostgreSQL"),
]

SLOWEST_ANSWER = 6.0
"""Five seconds are the promise; one more is for processors that other tests have busy."""
WELL_AGAIN_WITHIN = 5.0
AT_ONCE = 6


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    binaries = find_binaries()
    if binaries is None:
        do_without("no PostgreSQL to start and freeze: initdb and pg_ctl are not installed")
    with own_cluster(binaries) as built:
        yield built


def test_h05_a_database_that_hangs_keeps_nobody_waiting(cluster: Cluster, tmp_path: Path):
    house = House(tmp_path, database_url=cluster.url)
    house.build()
    try:
        inside = house.inside()
        tenant = inside.do("new_tenant", name="Frozen")
        path = tenant["path"]
        house.web()
        assert house.post(path, "msg_before", "q1") == 204
        with cluster.frozen():
            statuses = [*hanging(house, path, "first"), *hanging(house, path, "second")]
        assert set(statuses) == {503}
        back = time.monotonic()
        while (status := house.post(path, "msg_after", "q1")) != 204:
            assert status == 503
            assert time.monotonic() - back < WELL_AGAIN_WITHIN
        # The platform tries again what it was told to; what came through unheard was kept once.
        assert {house.post(path, name, "q1") for name in names("first")} == {204}
        assert {"msg_before", "msg_after", *names("first")} <= inside.do("deliveries", tenant_id=tenant["tenant_id"]).keys()
    finally:
        house.tear_down()


def names(wave: str) -> list[str]:
    return [f"msg_{wave}_{number}" for number in range(AT_ONCE)]


def hanging(house: House, path: str, wave: str) -> list[int]:
    """Deliver several at once; return what was answered, each of it in time."""
    statuses: list[int] = []

    def deliver(name: str) -> float:
        return seconds_of(lambda: statuses.append(house.post(path, name, "q1")))

    with ThreadPoolExecutor(AT_ONCE) as threads:
        assert max(threads.map(deliver, names(wave))) < SLOWEST_ANSWER
    return statuses
