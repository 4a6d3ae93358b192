"""Makes groups and people."""

from collections.abc import Iterator

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk groups and people, the oldest first."""
    yield from ()
