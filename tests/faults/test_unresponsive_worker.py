"""Q7: a worker that hears nothing is noticed and replaced, whatever made it deaf; work goes on within 90 s."""

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from tests.faults.broker import OwnRedis, Proxy
from tests.faults.house import Child, House, Inside
from tests.support.polls import until

pytestmark = [pytest.mark.faults]

RESUMES_WITHIN = 90
QUICK = ("--ping", "1", "--unresponsive-after", "12")
_numbers = count(1)


class Work:
    """Deliveries to a house whose worker is to handle them."""

    def __init__(self, house: House, inside: Inside, name: str) -> None:
        self._house, self._inside = house, inside
        self._tenant = inside.do("new_tenant", name=name)

    def check_done(self, *, seconds: float = RESUMES_WITHIN) -> None:
        """Deliver one, and wait until it was handled."""
        number = next(_numbers)
        # A process of SQLite that stands still may hold the lock: the platform is asked to try again until it is replaced.
        post = partial(self._house.post, self._tenant["path"], f"msg_{number}", f"q{number}")
        until(lambda: post() == 204, seconds=seconds, what="the delivery to be taken")
        key = {"tenant_id": self._tenant["tenant_id"]}
        until(lambda: not self._inside.do("waiting", **key), seconds=seconds, what="the delivery to be handled")
        assert set(self._inside.do("effects", **key).values()) == {1}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.stop()


def behind(proxy: Proxy, house: House, name: str) -> Work:
    """Start a house whose broker is behind the proxy, and see that it works."""
    url = {"CELERY_BROKER_URL": OwnRedis.url(proxy.port)}
    work = Work(house, house.inside(**url), name)
    house.web(**url)
    house.worker(*QUICK, clock=True, **url)
    work.check_done()
    return work


@pytest.mark.once
def test_q7_work_goes_on_after_a_cut_and_after_a_restart_of_the_broker(house: House, broker: OwnRedis, proxy: Proxy):
    work = behind(proxy, house, "Cut off")
    proxy.cut()
    time.sleep(5)
    proxy.mend()
    work.check_done()
    broker.stop()
    time.sleep(2)
    broker.start()
    work.check_done()


@pytest.mark.once
def test_q7_work_goes_on_after_connections_went_silent(house: House, proxy: Proxy):
    work = behind(proxy, house, "Half open")
    assert proxy.fall_silent() > 0
    work.check_done()


@pytest.mark.parametrize(
    "fault",
    [pytest.param(signal.SIGSTOP, id="stands still"), pytest.param(signal.SIGKILL, id="is killed", marks=pytest.mark.once)],
)
def test_q7_a_worker_is_replaced_when_it(house: House, fault: signal.Signals):
    work = Work(house, house.inside(), f"Replaced{fault.name}")
    house.web()
    supervisor = house.worker(*QUICK, clock=True)
    work.check_done()
    first = worker_of(supervisor)
    os.kill(first, fault)
    work.check_done()
    assert worker_of(supervisor) != first
    assert not Path(f"/proc/{first}").exists()


def worker_of(supervisor: Child) -> int:
    """Return the process that the supervisor keeps."""
    pid = supervisor.process.pid
    return until(lambda: first_child(pid), what="a worker")


def first_child(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else 0
