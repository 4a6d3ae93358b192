"""Makes issues and risk scenarios."""

from collections.abc import Iterator

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk issues and risk scenarios, the oldest first."""
    yield from ()
