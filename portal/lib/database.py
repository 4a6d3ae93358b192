"""The thread's database connection during a long wait, and many rows in one statement."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import close_old_connections, connection, models
from django.db.models.functions import Collate

TYPES = {int: "bigint", str: "text", bytes: "text"}


@models.Field.register_lookup
class Among(models.Lookup):
    """`pk__among=pks`: as `pk__in`, for hundreds of values. They are one parameter of the statement.

    To find the place of each of 500 parameters takes psycopg longer than the statement takes the database.
    """

    lookup_name = "among"

    def get_prep_lookup(self) -> list[Any]:
        return [self.lhs.output_field.get_prep_value(value) for value in self.rhs]

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = self.process_lhs(compiler, connection)
        return f"{column} IN (SELECT value FROM json_each(%s))", (*params, json.dumps(self.rhs))  # noqa: S608 - our own column

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        if not self.rhs:
            raise EmptyResultSet
        column, params = self.process_lhs(compiler, connection)
        # Of another integer's type it would be looked at after the row security, row by row.
        return f"{column} = ANY(%s::{TYPES[type(self.rhs[0])]}[])", (*params, self.rhs)


def give_back() -> None:
    """Hand the connection back to the pool before a call over the network: a slow platform must not keep it from others.

    Nothing happens inside a transaction, or where there is no pool.
    """
    if getattr(connection, "pool", None) is not None and not connection.in_atomic_block:
        connection.close()


def run_prepared(sql: str, params: Sequence[Any]) -> int:
    """Run one of the few statements that thousands wait for, and return how many rows it has changed.

    PostgreSQL parses and plans it once for each connection, which takes several times longer than to run it.
    """
    if connection.vendor == "postgresql":
        return int(connection.run_prepared(sql, params))  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return int(cursor.rowcount)


def in_order(column: str) -> "models.expressions.Combinable":
    """Sort a text as Python sorts it, whatever the language of the database: locks are taken in one order by all of us."""
    return Collate(column, "C") if connection.vendor == "postgresql" else models.F(column)


def renew() -> None:
    """Do for this thread's connection what Django does between requests: one that is broken or too old is closed.

    Not inside a transaction, which the work around it has begun.
    """
    if not connection.in_atomic_block:
        close_old_connections()


def update_each(model: type[models.Model], pks: Sequence[int], columns: Mapping[str, Sequence[str]], **same: Any) -> None:
    """Give each of these rows texts of its own, and all of them some values that are the same, in one statement."""
    name = model._meta.db_table
    table, values = table_of(id=pks, **columns)
    own = [f"{column} = given.{column}" for column in columns]
    assignments = ", ".join([*own, *(f"{column} = %s" for column in same)])
    adapted = [_field(model, column).get_db_prep_save(value, connection) for column, value in same.items()]
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {name} SET {assignments} FROM {table} WHERE {name}.id = given.id",  # noqa: S608 - our own names
            [*adapted, *values],
        )


def insert_each(model: type[models.Model], columns: Mapping[str, Sequence[Any]], **same: Any) -> None:
    """Store new rows of integers and texts, and some values that are the same for all: in half the time that objects take."""
    table, values = table_of(**columns)
    names = ", ".join([*columns, *same])
    given = ", ".join([*columns, *(["%s"] * len(same))])
    adapted = [_field(model, column).get_db_prep_save(value, connection) for column, value in same.items()]
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {model._meta.db_table} ({names}) SELECT {given} FROM {table}", [*adapted, *values])  # noqa: S608 - our own names


def save_each(rows: Sequence[models.Model], names: Sequence[str]) -> None:
    """Store some columns of rows that are held, each with values of its own: quicker than the ORM's one great statement."""
    if not rows:
        return
    columns = [rows[0]._meta.get_field(name) for name in names]
    assignments = ", ".join(f"{column.column} = %s" for column in columns)  # type: ignore[union-attr]
    values = [[*(_to_save(column, row) for column in columns), row.pk] for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {rows[0]._meta.db_table} SET {assignments} WHERE id = %s", values)  # noqa: S608 - our own names


def _to_save(column: Any, row: models.Model) -> Any:
    return column.get_db_prep_save(getattr(row, column.attname), connection)


def _field(model: type[models.Model], name: str) -> "models.Field[Any, Any]":
    return next(field for field in model._meta.concrete_fields if field.column == name)


@contextmanager
def waiting_for_locks(seconds: float) -> Iterator[None]:
    """Wait for a lock of SQLite no longer than that, where somebody waits. PostgreSQL has its limit in the settings."""
    if connection.vendor != "sqlite":
        yield
        return
    usual = connection.settings_dict["OPTIONS"].get("timeout", 5)
    _limit_locks(seconds)
    try:
        yield
    finally:
        _limit_locks(usual)


def _limit_locks(seconds: float) -> None:
    # On the driver's own connection: a setting, not a query.
    connection.ensure_connection()
    connection.connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")


def table_of(**columns: Sequence[Any]) -> tuple[str, list[Any]]:
    """Return a table of these columns, named `given`, to put behind FROM, and its parameters.

    It holds integers, texts and bytes.
    """
    rows = list(zip(*columns.values(), strict=True))
    if connection.vendor == "postgresql":
        # One text for all of it: to make an array of each column takes psycopg longer than the statement takes the database.
        values = json.dumps([dict(zip(columns, row, strict=True)) for row in rows], default=bytes.hex)
        return _json_table(tuple((name, type(values[0])) for name, values in columns.items())), [values]
    row = f"({', '.join(['%s'] * len(columns))})"
    aliases = ", ".join(f"column{place} AS {name}" for place, name in enumerate(columns, start=1))
    table = f"(SELECT {aliases} FROM (VALUES {', '.join([row] * len(rows))})) AS given"  # noqa: S608 - our own names
    return table, [value for each in rows for value in each]


@cache
def _json_table(columns: tuple[tuple[str, type], ...]) -> str:
    """Return the table that PostgreSQL makes of a JSON list of rows. JSON knows no bytes: they come as hexadecimal digits."""
    types = ", ".join(f"{name} {TYPES[kind]}" for name, kind in columns)
    read = ", ".join(f"decode({name}, 'hex') AS {name}" if kind is bytes else name for name, kind in columns)
    return f"(SELECT {read} FROM json_to_recordset(%s::json) AS each({types})) AS given"  # noqa: S608 - our own names
