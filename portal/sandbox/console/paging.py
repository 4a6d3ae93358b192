"""Pages of a table, by number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import request, url_for

ROWS = 50


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page of rows. There is no total: counting a search costs as much as reading all of it."""

    rows: Sequence[Any]
    number: int
    has_next: bool

    @property
    def first(self) -> int:
        return (self.number - 1) * ROWS + 1

    @property
    def last(self) -> int:
        return (self.number - 1) * ROWS + len(self.rows)


def read_page(read: Callable[[int, int], Sequence[Any]]) -> Page:
    """Read the page that the address asks for with `read(limit, offset)`."""
    text = request.args.get("page", "1")
    number = max(1, int(text)) if text.isdecimal() and text.isascii() and len(text) < 7 else 1
    rows = read(ROWS + 1, (number - 1) * ROWS)
    return Page(rows=rows[:ROWS], number=number, has_next=len(rows) > ROWS)


def page_url(number: int) -> str:
    """Return this address with another page number."""
    arguments = {**(request.view_args or {}), **request.args.to_dict(), "page": number}
    return url_for(request.endpoint or "console.tenant_list", **arguments)
