"""O11: each broker that the README names fails in every way under load; nothing is lost, and nothing happens twice."""

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.faults.broker import Broker, OwnRabbit, OwnRedis, Proxy
from tests.faults.children import Inside
from tests.faults.house import ON_SERVICES, House
from tests.faults.load import Load
from tests.faults.test_unresponsive_worker import QUICK, RESUMES_WITHIN
from tests.faults.test_web import SLOWEST_ANSWER
from tests.support.polls import until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.long,
    pytest.mark.once,
    pytest.mark.skipif(not ON_SERVICES, reason="about brokers that are servers"),
]

POSTS = 5
_numbers = count(1)


@pytest.fixture(params=[OwnRedis, OwnRabbit], ids=["Redis", "RabbitMQ"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    server: Broker = request.param(tmp_path)
    server.start()
    yield server
    server.stop()


def test_o11_a_broker_that_fails_under_load_loses_nothing_and_nothing_happens_twice(house: House, broker: Broker, proxy: Proxy):
    url = {"CELERY_BROKER_URL": broker.url(proxy.port)}
    inside = house.inside(**url)
    tenant = inside.do("new_tenant", name=f"Broken{type(broker).__name__}")
    house.web(**url)
    house.worker(*QUICK, clock=True, **url)
    with Load(house, tenant["path"], clients=2, pause=0.1) as load:
        check_resumed(house, inside, tenant, after="the start")
        # Its supervisor looks each second. Until it has heard of its worker once, an end of that is one of a wrong setting.
        time.sleep(3)
        for name, begin, end in troubles(broker, proxy):
            begin()
            check_quick(house, tenant["path"])
            end()
            check_resumed(house, inside, tenant, after=name)
    key = {"tenant_id": tenant["tenant_id"]}
    until(lambda: not inside.do("waiting", **key), seconds=RESUMES_WITHIN, what="the rest")
    states = inside.do("deliveries", **key)
    assert set(load.acknowledged) <= states.keys()
    assert set(states.values()) == {"done"}
    assert load.unanswered == 0
    # Each object was told of once.
    assert set(inside.do("effects", **key).values()) == {1}


def troubles(broker: Broker, proxy: Proxy) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Give what befalls the broker, each with its name and what makes it well again."""

    def start_empty() -> None:
        broker.wipe()
        broker.start()

    yield "a restart", broker.stop, broker.start
    yield "the loss of everything", broker.stop, start_empty
    yield "a cut", proxy.cut, proxy.mend
    # New connections work: whoever listens to an old one has to notice.
    yield "silence", proxy.fall_silent, lambda: None


def check_quick(house: House, path: str) -> None:
    """Deliver some: the answer waits for no broker."""
    for _ in range(POSTS):
        number, started = next(_numbers), time.monotonic()
        assert house.post(path, f"msg_quick_{number}", f"quick{number}") == 204
        taken = time.monotonic() - started
        assert taken < SLOWEST_ANSWER, f"{taken:.1f} s"
        time.sleep(0.5)


def check_resumed(house: House, inside: Inside, tenant: dict[str, str], *, after: str) -> None:
    """Deliver one more, and wait until it was handled."""
    number = next(_numbers)
    assert house.post(tenant["path"], f"msg_probe_{number}", f"probe{number}") == 204
    key = {"tenant_id": tenant["tenant_id"]}
    until(
        lambda: inside.do("deliveries", **key)[f"msg_probe_{number}"] == "done",
        seconds=RESUMES_WITHIN,
        what=f"a delivery after {after} to be handled",
    )
