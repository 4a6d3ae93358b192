"""Make JSON of strangers fit for a database: what PostgreSQL or UTF-8 cannot hold is replaced, everything else stays."""

import math
import re
from typing import Any, Final

MAX_DEPTH: Final = 60
"""Nesting beyond this is cut off: no object of the platform has it, and recursion would end somewhere anyway."""
UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
"""NUL, and halves of surrogate pairs: PostgreSQL refuses the one, no encoder writes the other."""


def storable_text(text: str) -> str:
    """Replace characters that no database column holds."""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def storable(value: Any, *, depth: int = 0) -> Any:
    """Replace what JSON columns cannot hold, in every key and value; numbers that are none become text."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict | list) and depth >= MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        return {storable_text(str(key)): storable(item, depth=depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [storable(item, depth=depth + 1) for item in value]
    return value
