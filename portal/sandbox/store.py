"""The sandbox's one SQLite database: a single connection, used by one thread at a time."""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).with_name("schema.sql")
FILE_NAME = "sandbox.sqlite3"

ADDED = (("codes", "cell"), ("grants", "cell"))
"""Columns that data of an older sandbox lacks, all of them texts."""
MOVED = (
    """
    UPDATE objects SET parent_id = scenario.name FROM (
        SELECT tenant_id, id, json_extract(body, '$.riskId') AS name FROM objects WHERE kind = 'risk-scenarios'
    ) AS scenario
    WHERE objects.kind = 'risk-scenario-controls' AND objects.tenant_id = scenario.tenant_id
        AND objects.parent_id = scenario.id AND scenario.name IS NOT NULL
    """,
    """
    UPDATE objects SET body = json_set(body, '$.controlType', 'EXISTING') WHERE kind = 'risk-scenario-controls'
        AND coalesce(json_extract(body, '$.controlType'), '') NOT IN ('EXISTING', 'TREATMENT_PLAN')
    """,
    """
    UPDATE OR IGNORE objects SET id = json_extract(body, '$.riskId'),
        body = json_remove(json_set(body, '$.id', json_extract(body, '$.riskId')), '$.riskId')
    WHERE kind = 'risk-scenarios' AND json_extract(body, '$.riskId') IS NOT NULL
    """,
)
"""Data of an older sandbox, in which a risk scenario had an id beside its riskId (management-api 3.16: it has none)."""

type Json = dict[str, Any]
type Row = sqlite3.Row


class Store:
    """Rows in, rows out. `transaction()` may be nested; the outermost one commits."""

    def __init__(self, data_dir: Path | None) -> None:
        if data_dir is not None:
            data_dir.mkdir(parents=True, exist_ok=True)
        # One connection for all threads: an in-memory database exists only once, and SQLite has one writer anyway.
        self._connection = sqlite3.connect(
            data_dir / FILE_NAME if data_dir is not None else ":memory:", check_same_thread=False, isolation_level=None
        )
        self._lock = threading.RLock()
        self._depth = 0
        self._connection.row_factory = sqlite3.Row
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        # SQLite's own LIKE and lower() know ASCII only.
        self._connection.create_function("folded", 1, lambda text: str(text or "").casefold(), deterministic=True)
        self._connection.executescript(SCHEMA.read_text(encoding="utf-8"))
        for table, column in ADDED:
            if column not in {row["name"] for row in self.rows(f"PRAGMA table_info({table})")}:
                self.write(f"ALTER TABLE {table} ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
        with self.transaction():
            for statement in MOVED:
                self.write(statement)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do everything inside or nothing, with no other thread in between."""
        with self._lock:
            name = f"level_{self._depth}"
            self._connection.execute("BEGIN IMMEDIATE" if self._depth == 0 else f"SAVEPOINT {name}")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                self._connection.execute("ROLLBACK" if self._depth == 0 else f"ROLLBACK TO {name}")
                raise
            self._depth -= 1
            self._connection.execute("COMMIT" if self._depth == 0 else f"RELEASE {name}")

    def rows(self, sql: str, *values: Any) -> list[Row]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()

    def row(self, sql: str, *values: Any) -> Row | None:
        with self._lock:
            found: Row | None = self._connection.execute(sql, values).fetchone()
            return found

    def write(self, sql: str, *values: Any) -> int:
        """Change rows and return how many."""
        with self._lock:
            return self._connection.execute(sql, values).rowcount

    def insert(self, table: str, **values: Any) -> int:
        """Add one row and return its rowid. Table and column names come from our code, never from a request."""
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        with self._lock:
            cursor = self._connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", [*values.values()])  # noqa: S608
            return int(cursor.lastrowid or 0)

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._lock:
            self._connection.executemany(sql, rows)

    def setting(self, name: str, default: Any) -> Any:
        """Read one named value that survives restarts."""
        row = self.row("SELECT value FROM settings WHERE name = ?", name)
        return default if row is None else json.loads(row["value"])

    def set_setting(self, name: str, value: Any) -> None:
        self.write("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", name, json.dumps(value))

    def clear(self) -> None:
        """Empty every table."""
        with self.transaction():
            for table in self.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
                self.write(f"DELETE FROM {table['name']}")  # noqa: S608 - a name out of our own schema

    def close(self) -> None:
        with self._lock:
            self._connection.close()
