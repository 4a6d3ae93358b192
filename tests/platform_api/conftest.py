from collections.abc import Iterator

import pytest
import responses

from tests.platform_api.world import World


@pytest.fixture
def world() -> World:
    """A sandbox as if it were new with one tenant, and a client of it."""
    return World()


@pytest.fixture
def wire() -> Iterator[responses.RequestsMock]:
    """Answers written by hand, for what no sandbox says."""
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock
