"""What a search over all desks shows of one row of a list."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    """One object that has the words: what it is called, a word about it, and the address of its page."""

    title: str
    note: str
    url: str
    icon: str = ""
    """If not that of its kind."""


type Find = Callable[[str, str, int], Iterable[Found]]
"""Takes the words, the slug of the tenant in scope, and how many are wanted at most."""
