"""Makes controls, questions, subprocessors, updates and subscribers of the Trust Center."""

from collections.abc import Iterator

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk controls, questions, subprocessors, updates and subscribers of the Trust Center, the oldest first."""
    yield from ()
