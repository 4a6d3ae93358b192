"""Q8, O3: processes are ended as a deploy does it, under load; nothing is lost, nothing is done twice, and health tells."""

import pytest
import requests

from tests.faults.house import House
from tests.faults.load import Load
from tests.support.polls import until

pytestmark = [pytest.mark.faults]


def test_q8_a_rolling_restart_under_load_loses_nothing_and_does_nothing_twice(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Rolling")
    key = {"tenant_id": tenant["tenant_id"]}
    web, workers = house.web(), [house.worker(clock=True), house.worker(clock=True)]
    with Load(house, tenant["path"]) as load:
        until(lambda: "done" in inside.do("deliveries", **key).values(), seconds=60, what="work being done")
        for worker in workers:
            worker.end()
            assert worker.process.returncode == 0
            house.worker(clock=True)
        web.end()
        house.web()
        before = len(load.acknowledged)
        until(lambda: len(load.acknowledged) > before + 20, what="deliveries to the new web process")
    until(lambda: not inside.do("waiting", **key), seconds=90, what="the rest")
    states = inside.do("deliveries", **key)
    assert set(load.acknowledged) <= states.keys()
    assert set(states.values()) == {"done"}
    effects = inside.do("effects", **key)
    assert len(effects) == len(states)
    assert set(effects.values()) == {1}


def test_q8_a_worker_that_was_asked_to_end_holds_no_lease(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Leaving")
    key = {"tenant_id": tenant["tenant_id"]}
    web = house.web()
    with Load(house, tenant["path"]) as load:
        until(lambda: len(load.acknowledged) > 300, what="a backlog")
    web.end()
    worker = house.worker(clock=True)
    until(lambda: "done" in inside.do("deliveries", **key).values(), seconds=60, what="work being done")
    worker.end()
    assert inside.do("leases", **key) == 0


def test_o3_without_a_worker_it_stays_ready_and_an_alarm_is_raised(house: House):
    house.web(WORKER_SILENT_SECONDS="8")
    worker = house.worker("--ping", "1", clock=True)
    until(lambda: is_heard(house), seconds=60, what="the first heartbeat")
    worker.kill()
    until(lambda: has_alarm(house), seconds=60, what="the alarm")
    assert requests.get(f"{house.url}/readyz", timeout=10).status_code == 200
    house.worker("--ping", "1", clock=True)
    until(lambda: not has_alarm(house), seconds=60, what="the end of the alarm")


def is_heard(house: House) -> bool:
    """Say whether a heartbeat is fresh."""
    age = requests.get(f"{house.url}/readyz", timeout=10).json()["work"]["last_heartbeat_seconds"]
    return age is not None and age < 5


def has_alarm(house: House) -> bool:
    answer = requests.get(f"{house.url}/readyz", timeout=10)
    assert answer.status_code == 200
    return 'portal_alarm{alarm="no worker"} 1.0' in requests.get(f"{house.url}/metrics", timeout=10).text
