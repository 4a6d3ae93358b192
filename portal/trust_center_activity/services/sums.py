"""The daily sums: every row counts once in each of them, in whatever order rows come, and not at all once it is erased."""

from collections import Counter
from collections.abc import Iterable

from django.db import connection

from portal.lib.database import table_of
from portal.tenants.scope import current_tenant_id
from portal.trust_center_activity.models import Activity, DailySum, day_of

SIDES = ("domain", "subject", "event_type")
"""What the charts tell apart."""
FILTERS = ("", "domain", "subject", "event_type", "country")
"""What a page may be narrowed to, one at a time; narrowed to two, it counts the rows themselves."""
CUTS = {f"{narrow}>{side}": (narrow, side) for narrow in FILTERS for side in SIDES if narrow != side}
CHUNK = 500
"""SQLite takes a limited number of values in one statement."""

ADD = """
    INSERT INTO trust_center_activity_dailysum (tenant_id, cut, key, day, part, number)
    SELECT %s, cut, key, day, part, number FROM {table} WHERE true
    ON CONFLICT (tenant_id, cut, key, day, part) DO UPDATE SET number = trust_center_activity_dailysum.number + excluded.number
"""

type Cell = tuple[str, str, int, str]
"""Cut, key, day, part."""


def cells_of(row: Activity) -> Iterable[Cell]:
    """Name the sums that a row counts in."""
    day = day_of(row.at)
    for cut, (narrow, side) in CUTS.items():
        yield cut, getattr(row, narrow) if narrow else "", day, getattr(row, side)


def count(rows: Iterable[Activity]) -> None:
    """Add rows that were stored in this transaction."""
    _add(Counter(cell for row in rows for cell in cells_of(row)))


def uncount(rows: Iterable[Activity]) -> None:
    """Take rows out that are deleted in this transaction; a sum of nothing goes."""
    numbers = Counter(cell for row in rows for cell in cells_of(row))
    _add({cell: -number for cell, number in numbers.items()})
    cuts, keys, days, _ = ({*side} for side in zip(*numbers, strict=True)) if numbers else ([], [], [], [])
    DailySum.objects.filter(number__lte=0, cut__in=cuts, key__in=keys, day__in=days).delete()


def _add(numbers: dict[Cell, int]) -> None:
    # In one order: two transactions that add to the same sums wait for each other and do not meet in a deadlock.
    cells = sorted(numbers)
    for start in range(0, len(cells), CHUNK):
        chunk = cells[start : start + CHUNK]
        cuts, keys, days, parts = zip(*chunk, strict=True)
        table, values = table_of(cut=cuts, key=keys, day=days, part=parts, number=[numbers[cell] for cell in chunk])
        with connection.cursor() as cursor:
            cursor.execute(ADD.format(table=table), [current_tenant_id(), *values])
