"""The web process is killed, or the broker is gone: what was acknowledged is kept and is worked on."""

import random
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.house import ON_SERVICES, House, seconds_of
from tests.faults.load import Load
from tests.support.polls import until

pytestmark = [pytest.mark.faults]

KILLS = 3
SLOWEST_ANSWER = 3.0
"""Two seconds are the promise (guarantee H6); one more is for a process that has just started, beside other tests."""
SWEPT_WITHIN = 60


def test_h01_what_was_acknowledged_survives_kill_9_of_the_web_process(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Durable")
    web = house.web()
    with Load(house, tenant["path"]) as load:
        for _ in range(KILLS):
            before = len(load.acknowledged)
            until(lambda before=before: len(load.acknowledged) > before + 50, what="acknowledged deliveries")
            time.sleep(random.uniform(0, 0.3))
            web.kill()
            web = house.web()
    assert load.unanswered
    kept = inside.do("deliveries", tenant_id=tenant["tenant_id"])
    assert len(load.acknowledged) > 150
    assert set(load.acknowledged) <= kept.keys()


def test_h02_a_thousand_copies_at_once_are_one_row_that_is_handled_once(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Copied")
    key = {"tenant_id": tenant["tenant_id"]}
    house.web()
    # With its clock: the messages are thrown away where it takes longer to start than they are good for.
    house.worker(clock=True)
    with ThreadPoolExecutor(20) as senders:
        statuses = senders.map(lambda _: house.post(tenant["path"], "msg_copied", "q1", timeout=30), range(1000))
        assert [*statuses] == [204] * 1000
    until(lambda: not inside.do("waiting", **key), seconds=SWEPT_WITHIN, what="the worker")
    # Once more, and nothing is left to do.
    assert house.post(tenant["path"], "msg_copied", "q1") == 204
    assert inside.do("states", **key) == [["msg_copied", "done"]]
    assert inside.do("effects", **key) == {"q1": 1}


def test_h06_without_a_broker_the_answer_is_quick_and_the_sweep_does_the_work(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Bell-less")
    with house.web_without_broker():
        check_quick(house, tenant["path"])
    assert house.wipe_broker() == 0
    house.worker(clock=True)
    until(lambda: not inside.do("waiting", tenant_id=tenant["tenant_id"]), seconds=SWEPT_WITHIN, what="the sweep")
    assert set(inside.do("effects", tenant_id=tenant["tenant_id"]).values()) == {1}


@pytest.mark.skipif(not ON_SERVICES, reason="files cannot be silent")
def test_h06_a_broker_that_accepts_and_says_nothing_does_not_hold_up_the_answer(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Silent")
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        house.web(CELERY_BROKER_URL=f"redis://127.0.0.1:{silent.getsockname()[1]}/14")
        check_quick(house, tenant["path"])
    assert inside.do("waiting", tenant_id=tenant["tenant_id"]) == 5


def check_quick(house: House, path: str) -> None:
    statuses: list[int] = []
    for number in range(5):
        taken = seconds_of(lambda number=number: statuses.append(house.post(path, f"msg_{number}", f"q{number}")))
        assert taken < SLOWEST_ANSWER
    assert statuses == [204] * 5
