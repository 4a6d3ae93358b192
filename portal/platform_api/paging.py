"""Lists: one page, or all of them lazily."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from portal.platform_api.errors import UnexpectedAnswer
from portal.platform_api.models import Listed, Remote

PAGE_SIZE: Final = 100
"""The most the platform gives in one page (platform-api 1.3)."""


@dataclass(frozen=True)
class Page[T]:
    """One page of a list. `next_cursor` is None on the last one."""

    items: list[T]
    next_cursor: str | None


def read_page[T: Remote](decoded: Any, model: type[T], method: str, template: str) -> Page[T]:
    """Read the paged envelope. Raises UnexpectedAnswer."""
    match decoded:
        case {"results": {"data": list(items), **rest}}:
            info = rest.get("pageInfo") or {}
            if isinstance(info, dict):
                return Page([model.read(item, method, template) for item in items], next_cursor(info, method, template))
    raise UnexpectedAnswer(method, template, message="this is not a page of a list")


def next_cursor(info: dict[str, Any], method: str, template: str) -> str | None:
    """Return where the next page begins. Both cursors may be missing on the last page (platform-api 7.22)."""
    if not info.get("hasNextPage"):
        return None
    cursor = info.get("endCursor")
    if not isinstance(cursor, str) or not cursor:
        # To stop here would pass a part off as the whole, and what is missing as deleted.
        raise UnexpectedAnswer(method, template, message="the list goes on, but its cursor is missing")
    return cursor


def read_list[T: Remote](decoded: Any, model: type[T], method: str, template: str, *, is_bare: bool = False) -> list[T]:
    """Read a list without pages: `results`, `results.data`, or for a few the bare list (platform-api 1.3).

    Raises UnexpectedAnswer.
    """
    match {"results": decoded} if is_bare else decoded:
        case {"results": list(items)} | {"results": {"data": list(items)}}:
            return [model.read(item, method, template) for item in items]
    raise UnexpectedAnswer(method, template, message="this is not a list")


def walk[T: Listed](fetch: Callable[[str | None], Page[T]]) -> Iterator[T]:
    """Walk all pages, fetching only as far as the caller reads.

    A list may change while it is paged: an object that is met again is left out, and a cursor that comes again ends the walk.
    Only ids and cursors are remembered.
    """
    cursor: str | None = None
    met: set[str] = set()
    cursors: set[str] = set()
    while True:
        page = fetch(cursor)
        for item in page.items:
            if item.id not in met:
                met.add(item.id)
                yield item
        cursor = page.next_cursor
        if cursor is None or cursor in cursors:
            return
        cursors.add(cursor)
