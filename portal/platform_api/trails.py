"""Where a walk over the pages of a list has been: it ends when it comes by again, or meets nothing new (guarantee Q16)."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Final

from portal.platform_api.errors import EndlessList

MAX_PAGES_WITHOUT_NEWS: Final = 3
REMEMBERED_PAGES: Final = 12
"""Pages whose objects are known one by one. Longer circles are found by the milestone, which needs no more room."""
DIGEST_BYTES: Final = 5


class Trail:
    """The cursors and objects of one walk, in so little room that it can be kept in a row between two workers.

    The latest pages are remembered, and of older ones the milestone: the last page whose number is a power of two (Brent's way
    to find a circle of any length).
    """

    def __init__(self, kept: dict[str, Any] | None = None) -> None:
        kept = kept or {}
        self._count: int = kept.get("count", 0)
        self._idle: int = kept.get("idle", 0)
        self._recent: list[list[str]] = kept.get("recent", [])
        self._milestone: list[str] = kept.get("milestone", [])

    def kept(self) -> dict[str, Any]:
        """Return what the next worker goes on with, as JSON."""
        return {"count": self._count, "idle": self._idle, "recent": self._recent, "milestone": self._milestone}

    def follow(self, cursor: str, object_ids: Iterable[str]) -> None:
        """Note a page by its objects and the cursor behind it. Raises EndlessList when it leads round in a circle."""
        step = [digest(cursor), "".join(sorted(digest(each) for each in object_ids))]
        known = [*self._recent, *([self._milestone] if self._milestone else [])]
        if any(step[0] == before[0] for before in known) or self._is_back_at_milestone(step[1]):
            raise EndlessList("the list leads back to a page that was read before")
        self._idle = 0 if self._has_news(step[1], known) else self._idle + 1
        if self._idle >= MAX_PAGES_WITHOUT_NEWS:
            raise EndlessList(f"{self._idle} pages of the list in a row had nothing new")
        self._count += 1
        self._recent = [*self._recent, step][-REMEMBERED_PAGES:]
        if self._count & (self._count - 1) == 0:
            self._milestone = step

    def _is_back_at_milestone(self, objects: str) -> bool:
        """Say whether half of the milestone's objects are met again, so long after it that no list has moved as far."""
        if not self._milestone or self._milestone in self._recent:
            return False
        there = split(self._milestone[1])
        return bool(there) and 2 * len(there & split(objects)) >= len(there)

    def _has_news(self, objects: str, known: list[list[str]]) -> bool:
        met = {each for _, before in known for each in split(before)}
        return bool(split(objects) - met)


def digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()


def split(joined: str) -> set[str]:
    width = 2 * DIGEST_BYTES
    return {joined[start : start + width] for start in range(0, len(joined), width)}
