import pytest

from tests.sandbox.platform import Platform


@pytest.fixture
def platform() -> Platform:
    """A sandbox in memory without rate limits, with one tenant."""
    return Platform()


@pytest.fixture
def strict() -> Platform:
    """The same, but with scopes enforced."""
    return Platform(strict_scopes=True)
