import pytest

from tests.sync.desk import FakeDesk


@pytest.fixture
def desk(scoped) -> FakeDesk:
    """A desk of acme, inside acme's scope."""
    return FakeDesk()
