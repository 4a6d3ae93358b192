from collections.abc import Iterator

import pytest

from tests.sandbox.platform import Platform


@pytest.fixture
def platform() -> Iterator[Platform]:
    """A sandbox in memory without rate limits, with one tenant."""
    platform = Platform()
    yield platform
    platform.sandbox.close()


@pytest.fixture
def strict() -> Iterator[Platform]:
    """The same, but with scopes enforced."""
    platform = Platform(strict_scopes=True)
    yield platform
    platform.sandbox.close()
