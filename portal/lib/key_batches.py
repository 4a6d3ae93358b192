"""Keys in batches, each for one query: some databases take no more than a thousand in one."""

from collections.abc import Iterable, Sequence
from itertools import batched

MAX_KEYS = 500
"""What one query names at most, with room beside them for whatever else it asks."""


def key_batches(keys: Iterable[str]) -> Sequence[set[str]]:
    """Divide keys into batches, sorted and each key once; an empty key is left out, and without keys there is no batch."""
    return [set(batch) for batch in batched(sorted(set(keys) - {""}), MAX_KEYS)]
