"""Makes tags, resources of the knowledge base and answers."""

from collections.abc import Iterator

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk tags, resources of the knowledge base and answers, the oldest first."""
    yield from ()
