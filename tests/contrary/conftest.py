from collections.abc import Iterator

import pytest
from django.conf import settings as configured

from portal.connections import http
from portal.tenants.models import Tenant
from portal.users.models import User
from tests.contrary.commits import commits
from tests.contrary.house import ENVIRONMENT, House
from tests.contrary.platform import HOSTS, Platform
from tests.contrary.workers import workers
from tests.support.clocks import clocks
from tests.support.wsgi_adapter import WsgiAdapter


@pytest.fixture
def platform(settings) -> Iterator[Platform]:
    """The contrary platform behind the client's own HTTP session, at addresses of its own."""
    for name, value in ENVIRONMENT.items():
        setattr(settings, name, value)
    made = Platform(client_id=configured.PLATFORM_CLIENT_ID, client_secret=configured.PLATFORM_CLIENT_SECRET)
    http.MOUNTS.update({f"https://{host}": WsgiAdapter(made) for host in HOSTS})
    yield made
    http.MOUNTS.clear()


@pytest.fixture
def house(platform: Platform, acme: Tenant, alice: User) -> Iterator[House]:
    """Acme, not connected yet."""
    with clocks(platform) as moved, commits() as committed, workers() as crew:  # type: ignore[arg-type]
        yield House(platform, acme, alice, crew, moved, committed)


@pytest.fixture
def filled(house: House) -> House:
    """Acme with a working grant and a copy of everything."""
    house.platform.tokens.names_itself = False
    house.connect()
    house.crew.work()
    house.send(f"{house.root}settings/connection/", "trust-center/", slug_id=house.platform.world.slug)
    house.crew.tick()
    house.clocks.pass_time(5)
    house.look()
    # All lists together take more calls than the portal makes in a minute.
    house.pass_time(61)
    house.pass_time(61)
    return house
