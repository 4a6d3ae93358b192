"""A list as a file: exactly the rows that its filters show, read page by page while it is sent."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from datetime import tzinfo

from django.db.models import Model, QuerySet
from django.utils import timezone

from portal.lib.keyset import keyset_page
from portal.tenants.scope import tenant_scope

PAGE_SIZE = 500

type Line = tuple[object, ...]


def list_lines[M: Model](
    columns: Line,
    rows: Callable[[], QuerySet[M]],
    lines: Callable[[Sequence[M]], Iterable[Line]],
    *,
    tenant_id: int,
    order_by: Sequence[str],
    zone: str | tzinfo = "",
) -> Iterator[Line]:
    """Give the names of the columns, then the lines of each page of rows; `csv_answer` sends them.

    The answer is read after the view has ended, so each page enters the tenant's scope, and the zone of whoever asked, by
    itself. `rows` and `lines` are asked for within them; `lines` may ask for what belongs to a page in one query.
    """
    yield columns
    cursor = None
    while True:
        with tenant_scope(tenant_id), timezone.override(zone) if zone else nullcontext():
            page = keyset_page(rows(), order_by=order_by, cursor=cursor, size=PAGE_SIZE)
            if cursor and page.previous_cursor is None:
                return  # what was left went meanwhile, and for a person this would be the first page again
            found = list(lines(page.rows))
        yield from found
        if (cursor := page.next_cursor) is None:
            return
