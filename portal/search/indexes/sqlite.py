"""The threes of letters in SQLite: a table of the extension FTS5."""

from collections.abc import Sequence
from typing import Final

STATEMENTS: Final = (
    "CREATE VIRTUAL TABLE {table}_parts USING fts5(tenant, words, tokenize = 'trigram')",
    "INSERT INTO {table}_parts (rowid, tenant, words) SELECT id, '#' || tenant_id || '#', search FROM {table}",
)
TRIGGERS: Final = (
    """
    CREATE TRIGGER IF NOT EXISTS {table}_parts_in AFTER INSERT ON {table} BEGIN
        INSERT INTO {table}_parts (rowid, tenant, words) VALUES (new.id, '#' || new.tenant_id || '#', new.search);
    END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS {table}_parts_out AFTER DELETE ON {table} BEGIN
        DELETE FROM {table}_parts WHERE rowid = old.id;
    END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS {table}_parts_changed AFTER UPDATE OF search ON {table} WHEN old.search IS NOT new.search BEGIN
        UPDATE {table}_parts SET words = new.search WHERE rowid = old.id;
    END
    """,
)


def statements(table: str, existing: set[str]) -> list[str]:
    wanted = TRIGGERS if f"{table}_parts" in existing else (*STATEMENTS, *TRIGGERS)
    return [each.format(table=table) for each in wanted]


def search(table: str, tenant_id: int, parts: Sequence[str], *, most: int) -> tuple[str, list[str | int]]:
    """Return the statement for the keys of rows that can have all of the parts."""
    query = f'tenant : "#{tenant_id}#" AND {_query(parts)}'
    return f"SELECT rowid FROM {table}_parts WHERE {table}_parts MATCH %s LIMIT %s", [query, most]  # noqa: S608 - our own names


def search_among(table: str, tenant_ids: Sequence[int], parts: Sequence[str], *, most: int) -> tuple[str, list[str | int]]:
    """Return the statement for the tenants, once for each row of them that can have all of the parts."""
    tenants = " OR ".join(f'"#{each}#"' for each in tenant_ids)
    query = f"tenant : ({tenants}) AND {_query(parts)}"
    statement = f"SELECT trim(tenant, '#') FROM {table}_parts WHERE {table}_parts MATCH %s LIMIT %s"  # noqa: S608 - our own names
    return statement, [query, most]


def _query(parts: Sequence[str]) -> str:
    words = " AND ".join('"' + part.replace('"', '""') + '"' for part in parts)
    return f"words : ({words})"
