"""Which rows have a few letters in their `search`, wherever they stand: found by the threes of letters that are in it.

The threes stand in a table of their own beside each searched table, which triggers keep equal to the rows: SQLite's index is a
table, and PostgreSQL reads no such index, and no statistics either, under a policy of row-level security. Each entry holds its
tenant beside the threes, so that a search does not walk through the entries of another one. It gives keys only: the rows are
read through their own walls, and looked at once more, as threes can stand in another order.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection

from portal.search.indexes import postgresql, sqlite
from portal.tenants.scope import ALL_TENANTS, scope

MAX_KEYS = 1000
"""Of more rows than these nobody wants the keys: a list that is read in its order meets them soon enough."""
MAX_KEYS_OF_SEVERAL = 20_000
"""Rows of several tenants: of words that more rows have, nobody learns much from a list of tenants."""
MIN_PART_LENGTH = 3
"""Letters. A shorter part is in no three; it is looked for in the rows alone."""
ENGINES = {"postgresql": postgresql, "sqlite": sqlite}
type Keys = Mapping[tuple[int | None, str, tuple[str, ...]], list[int]]
"""By tenant, table and parts."""
_known: ContextVar[Keys | None] = ContextVar("keys that were asked for at once", default=None)


def few(table: str, parts: Sequence[str]) -> list[int] | None:
    """Return the keys of the tenant's rows that can have all of these parts; None when they are too many to be worth it."""
    asked, tenant_id = _long_enough(parts), scope()
    if not asked or tenant_id in (None, ALL_TENANTS):
        return None
    keys = (_known.get() or {}).get((tenant_id, table, asked))
    if keys is None:
        with connection.cursor() as cursor:
            cursor.execute(*ENGINES[connection.vendor].search(table, tenant_id, asked, most=MAX_KEYS + 1))
            keys = [key for (key,) in cursor.fetchall()]
    return keys if len(keys) <= MAX_KEYS else None


@contextmanager
def looked_up(wanted: Mapping[str, Sequence[str]]) -> Iterator[None]:
    """Ask the indexes of these tables for their parts in one statement, and know what it says as long as this is open.

    For a search over many tables, of which most have nothing: those are asked no more. In a tenant's scope.
    """
    tenant_id = scope()
    asked = {table: parts for table, each in wanted.items() if (parts := _long_enough(each))}
    is_asked = bool(asked) and tenant_id != ALL_TENANTS
    known = _known.set(_ask(tenant_id, asked) if is_asked and tenant_id is not None else None)
    try:
        yield
    finally:
        _known.reset(known)


def _ask(tenant_id: int, asked: Mapping[str, tuple[str, ...]]) -> Keys:
    found: dict[tuple[int | None, str, tuple[str, ...]], list[int]] = {}
    statements, values = [], []
    for table, parts in asked.items():
        statement, given = ENGINES[connection.vendor].search(table, tenant_id, parts, most=MAX_KEYS + 1)
        statements.append(f"SELECT '{table}', found.* FROM ({statement}) AS found")  # noqa: S608 - our own names
        values += given
        found[tenant_id, table, parts] = []
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(statements), values)
        for table, key in cursor.fetchall():
            found[tenant_id, table, asked[table]].append(key)
    return found


def _long_enough(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for part in parts if len(part) >= MIN_PART_LENGTH)


def tenants_among(table: str, parts: Sequence[str], tenant_ids: Sequence[int]) -> set[int] | None:
    """Return those of the tenants that can have a row with all of these parts; None when too many rows can, or nobody knows.

    Only within the scope of all tenants.
    """
    long_enough = _long_enough(parts)
    if not long_enough or scope() != ALL_TENANTS:
        return None
    if not tenant_ids:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(*ENGINES[connection.vendor].search_among(table, tenant_ids, long_enough, most=MAX_KEYS_OF_SEVERAL + 1))
        found = [int(tenant_id) for (tenant_id,) in cursor.fetchall()]
    return set(found) if len(found) <= MAX_KEYS_OF_SEVERAL else None
