"""What befalls the database of a house: it is away for a while, or a copy from before is put in its place."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg
from psycopg import sql

from tests.environment import POSTGRESQL
from tests.faults.house import ON_SERVICES, House

SUPERUSER = "postgres://postgres@127.0.0.1:5432"


@contextmanager
def away(house: House) -> Iterator[None]:
    """Cut every connection and refuse new ones; on SQLite, keep everybody from writing."""
    if not ON_SERVICES:
        with closing(sqlite3.connect(house.folder / "portal.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            yield
            other.execute("ROLLBACK")
        return
    allow(house, False)
    yield
    allow(house, True)


def allow(house: House, is_allowed: bool) -> None:
    with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
        statement = sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}")
        connection.execute(statement.format(sql.Identifier(house.database), sql.Literal(is_allowed)))
        cut_all(connection, house)


def cut_all(connection: psycopg.Connection, house: House) -> None:
    connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [house.database])


def count_rows(house: House) -> dict[str, int]:
    """Count the rows of every table, past row-level security."""
    if not ON_SERVICES:
        with closing(sqlite3.connect(house.folder / "portal.sqlite3")) as database:
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {name: len(database.execute(f'SELECT 1 FROM "{name}"').fetchall()) for name in names}  # noqa: S608 - no input
    with psycopg.connect(f"{SUPERUSER}/{house.database}") as connection:
        names = [name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        everything = {name: sql.SQL("SELECT 1 FROM {}").format(sql.Identifier(name)) for name in names}
        return {name: connection.execute(statement).rowcount for name, statement in everything.items()}


def dump(house: House) -> None:
    """Keep a copy of the whole database."""
    if not ON_SERVICES:
        with (
            closing(sqlite3.connect(house.folder / "portal.sqlite3")) as original,
            closing(sqlite3.connect(house.folder / "dump.sqlite3")) as copy,
        ):
            original.backup(copy)
        return
    copy_database(house, house.database, f"{house.database}_dump")


def restore(house: House) -> None:
    """Put the copy in the place of the database. No process of the house may run."""
    if not ON_SERVICES:
        for name in ("portal.sqlite3-wal", "portal.sqlite3-shm"):
            (house.folder / name).unlink(missing_ok=True)
        shutil.move(house.folder / "dump.sqlite3", house.folder / "portal.sqlite3")
        return
    copy_database(house, f"{house.database}_dump", house.database)
    with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(f"{house.database}_dump")))


def copy_database(house: House, original: str, copy: str) -> None:
    """Copy a database; PostgreSQL does so only while nobody is connected to it."""
    with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
        cut_all(connection, house)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(copy)))
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(statement.format(sql.Identifier(copy), sql.Identifier(original)))
