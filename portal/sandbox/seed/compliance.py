"""Makes controls, frameworks, tests, policies, integrations, documents and the event log."""

from collections.abc import Iterator

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk controls, frameworks, tests, policies, integrations, documents and the event log, the oldest first."""
    yield from ()
