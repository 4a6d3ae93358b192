"""Makes vendors with their reviews, assessments, findings and documents."""

from collections.abc import Iterator

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk vendors with their reviews, assessments, findings and documents, the oldest first."""
    yield from ()
