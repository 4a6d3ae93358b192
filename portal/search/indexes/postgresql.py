"""The threes of letters in PostgreSQL: vectors with a GIN index, of which the planner knows how common each three is."""

from collections.abc import Sequence
from typing import Final

from portal.tenants.row_security import found, found_among, walled

MAX_TEXT_LENGTH: Final = 20_000
"""Letters. A longer text is a candidate for every search: taking it apart would hold up whoever stores it."""
PARTS: Final = f"""
    CREATE OR REPLACE FUNCTION search_parts(words text, tenant bigint) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
        WITH letters AS (
            SELECT letter, place
            FROM unnest(string_to_array(left(words, {MAX_TEXT_LENGTH}), NULL)) WITH ORDINALITY AS found (letter, place)
        ), threes AS (
            SELECT letter || lead(letter) OVER along || lead(letter, 2) OVER along AS part FROM letters
            WINDOW along AS (ORDER BY place)
        )
        SELECT array_to_tsvector(array_agg(DISTINCT part)) FROM (
            SELECT part FROM threes WHERE part IS NOT NULL
            UNION ALL SELECT 'tenant ' || tenant
            UNION ALL SELECT 'long' WHERE length(words) > {MAX_TEXT_LENGTH}
        ) AS parts
    $$
"""  # noqa: S608 - our own names
STATEMENTS: Final = (
    "CREATE TABLE {table}_parts (id bigint PRIMARY KEY, tenant_id bigint NOT NULL, parts tsvector NOT NULL)",
    "CREATE INDEX {table}_by_parts ON {table}_parts USING gin (parts)",
    "INSERT INTO {table}_parts (id, tenant_id, parts) SELECT id, tenant_id, search_parts(search, tenant_id) FROM {table}",
    """
    CREATE FUNCTION {table}_parts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'TRUNCATE' THEN
            DELETE FROM {table}_parts;
        ELSIF TG_OP = 'DELETE' THEN
            DELETE FROM {table}_parts WHERE id = old.id;
        ELSE
            INSERT INTO {table}_parts (id, tenant_id, parts)
            VALUES (new.id, new.tenant_id, search_parts(new.search, new.tenant_id))
            ON CONFLICT (id) DO UPDATE SET parts = excluded.parts;
        END IF;
        RETURN NULL;
    END $$
    """,
    "CREATE TRIGGER {table}_parts_in AFTER INSERT OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_parts()",
    """
    CREATE TRIGGER {table}_parts_changed AFTER UPDATE OF search ON {table}
    FOR EACH ROW WHEN (old.search IS DISTINCT FROM new.search) EXECUTE FUNCTION {table}_parts()
    """,
    "CREATE TRIGGER {table}_parts_out AFTER TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {table}_parts()",
    *walled("{table}_parts"),
    found("{table}_parts", "SELECT id FROM public.{table}_parts WHERE parts @@ ($1 && $2) LIMIT $3"),
    found_among(
        "{table}_parts",
        "SELECT tenant_id FROM (SELECT tenant_id FROM public.{table}_parts WHERE parts @@ ($1 && $2) LIMIT $3) AS f",
    ),
)


def statements(table: str, existing: set[str]) -> list[str]:
    return [] if f"{table}_parts" in existing else [PARTS, *(each.format(table=table) for each in STATEMENTS)]


def search(table: str, tenant_id: int, parts: Sequence[str], *, most: int) -> tuple[str, list[str | int]]:
    """Return the statement for the keys of rows that can have all of the parts."""
    return f"SELECT * FROM {table}_parts_found(%s::tsquery, %s)", [_query(parts), most]  # noqa: S608 - our own names


def search_among(
    table: str, tenant_ids: Sequence[int], parts: Sequence[str], *, most: int
) -> tuple[str, list[str | int | list[int]]]:
    """Return the statement for the tenants, once for each row of them that can have all of the parts."""
    statement = f"SELECT * FROM {table}_parts_found_among(%s::bigint[], %s::tsquery, %s)"  # noqa: S608 - our own names
    return statement, [list(tenant_ids), _query(parts), most]


def _query(parts: Sequence[str]) -> str:
    wanted = {part[at : at + 3] for part in parts for at in range(len(part) - 2)}
    return f"long | ({' & '.join(map(_quoted, sorted(wanted)))})"


def _quoted(part: str) -> str:
    return "'" + part.replace("\\", "\\\\").replace("'", "''") + "'"
