"""Makes audits with their evidence, requests and comments."""

from collections.abc import Iterator

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk audits with their evidence, requests and comments, the oldest first."""
    yield from ()
