"""The web process is killed, or the broker is gone: what was acknowledged is kept and is worked on."""

import random
import socket
import threading
import time

import pytest
import requests

from tests.faults.house import ON_SERVICES, House, seconds_of
from tests.support.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

CLIENTS, KILLS = 6, 3
SLOWEST_ANSWER = 2.0
SWEPT_WITHIN = 60


class Load:
    """Clients that deliver as fast as they are answered, and remember what was acknowledged."""

    def __init__(self, house: House, path: str) -> None:
        self.acknowledged: list[str] = []
        self.unanswered = 0
        self._house, self._path = house, path
        self._is_over = threading.Event()
        self._clients = [threading.Thread(target=self._deliver, args=(number,)) for number in range(CLIENTS)]

    def __enter__(self) -> "Load":
        for client in self._clients:
            client.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_over.set()
        for client in self._clients:
            client.join()

    def _deliver(self, client: int) -> None:
        turn = 0
        while not self._is_over.is_set():
            turn += 1
            hook_id = f"msg_{client}_{turn}"
            try:
                if self._house.post(self._path, hook_id, f"q{client}x{turn}") == 204:
                    self.acknowledged.append(hook_id)
            except requests.RequestException:
                self.unanswered += 1
                time.sleep(0.05)


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
