"""What the columns of a table are called, as the database has it."""

from typing import Any


def column_names(cursor: Any, table: str) -> set[str]:
    """Return the names of a table's columns. Django's description of one takes the whole statement apart on SQLite."""
    cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')  # noqa: S608 - our own table
    return {column[0] for column in cursor.description}
