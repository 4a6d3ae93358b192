"""Keys of our own rows, as addresses and forms bring them back. What is none names no row."""

from collections.abc import Iterable
from typing import Final

MAX_DIGITS: Final = 18
"""The largest keys of a database have nineteen; more digits would be an error there."""


def row_key(sent: str) -> int:
    """Return the key that was sent, or else 0, which no row has."""
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= MAX_DIGITS else 0


def row_keys(sent: Iterable[str]) -> set[int]:
    return {key for each in sent if (key := row_key(each))}
