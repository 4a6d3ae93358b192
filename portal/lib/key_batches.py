"""Keys in batches, each for one query: some databases take no more than a thousand in one."""

from collections.abc import Iterable, Sequence
from itertools import batched

MAX_KEYS = 500


def key_batches(keys: Iterable[str]) -> Sequence[set[str]]:
    """Divide keys into batches, in their order; what is empty is left out."""
    return [set(batch) for batch in batched(sorted(set(keys) - {""}), MAX_KEYS)]
