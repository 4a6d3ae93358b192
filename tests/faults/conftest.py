from collections.abc import Iterator

import pytest

from tests.faults.broker import Broker, Proxy
from tests.faults.grants import Grant, grants, name_of
from tests.faults.house import House


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.build()
    yield house
    house.tear_down()


@pytest.fixture
def house(built: House) -> Iterator[House]:
    """A migrated house in which nothing runs and nothing waits."""
    built.wipe_broker()
    yield built
    built.kill_all()


@pytest.fixture
def grant(house: House, request: pytest.FixtureRequest) -> Iterator[Grant]:
    with grants(house, name_of(request.node.name)) as (made,):
        yield made


@pytest.fixture
def proxy(broker: Broker) -> Iterator[Proxy]:
    """Stand before the broker that a file has its tests use."""
    made = Proxy(broker.port)
    yield made
    made.close()
