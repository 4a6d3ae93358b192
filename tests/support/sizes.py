"""How much a promise is tried with: some of it in every run, all of it with `WHOLE=1` (README, Contributing)."""

import os

import pytest

IS_WHOLE = os.environ.get("WHOLE") == "1"

LIMIT = pytest.mark.timeout(3600 if IS_WHOLE else 600)
"""What takes minutes when it is whole has an hour."""


def size[N: (int, float)](usual: N, *, whole: N) -> N:
    """Return the number of every run, or that of the promise."""
    return whole if IS_WHOLE else usual
