import pytest

from tests.sandbox.platform import Platform


@pytest.fixture
def platform() -> Platform:
    """A sandbox in memory without rate limits, with one tenant."""
    return Platform()


@pytest.fixture(scope="module")
def strict() -> Platform:
    """The same, but with scopes enforced; all tests of a module wear it down together."""
    return Platform(strict_scopes=True)
