"""Every row of every table, also of those that no model knows: sessions, search indexes, what packages keep."""

from typing import Any

from django.db import connection

from portal.tenants.scope import all_tenants


def all_rows() -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of each table, in an order that is always the same."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    with all_tenants("the test looks everywhere"), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608 - the names are the database's own
            rows = [tuple(bytes(cell) if isinstance(cell, memoryview) else cell for cell in row) for row in cursor.fetchall()]
            found[table] = sorted(rows, key=repr)
    return found


def dump() -> str:
    """Return every cell of every table as text."""
    cells = (cell for rows in all_rows().values() for row in rows for cell in row)
    return "\n".join(cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell) for cell in cells)
