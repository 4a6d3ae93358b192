"""Which rows have a few letters in their `search`, wherever they stand: found by the threes of letters that are in it.

The threes stand in a table of their own beside each searched table, which triggers keep equal to the rows: SQLite's index is a
table, and PostgreSQL reads no such index, and no statistics either, under a policy of row-level security. Each entry holds its
tenant beside the threes, so that a search does not walk through the entries of another one. It gives keys only: the rows are
read through their own walls, and looked at once more, as threes can stand in another order.
"""

from collections.abc import Sequence

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


def few(table: str, parts: Sequence[str]) -> list[int] | None:
    """Return the keys of the tenant's rows that can have all of these parts; None when they are too many to be worth it."""
    long_enough, tenant_id = [part for part in parts if len(part) >= MIN_PART_LENGTH], scope()
    if not long_enough or tenant_id in (None, ALL_TENANTS):
        return None
    with connection.cursor() as cursor:
        cursor.execute(*ENGINES[connection.vendor].search(table, tenant_id, long_enough, most=MAX_KEYS + 1))
        keys = [key for (key,) in cursor.fetchall()]
    return keys if len(keys) <= MAX_KEYS else None


def tenants_among(table: str, parts: Sequence[str], tenant_ids: Sequence[int]) -> set[int] | None:
    """Return those of the tenants that can have a row with all of these parts; None when too many rows can, or nobody knows.

    Only within the scope of all tenants.
    """
    long_enough = [part for part in parts if len(part) >= MIN_PART_LENGTH]
    if not long_enough or scope() != ALL_TENANTS:
        return None
    if not tenant_ids:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(*ENGINES[connection.vendor].search_among(table, tenant_ids, long_enough, most=MAX_KEYS_OF_SEVERAL + 1))
        found = [int(tenant_id) for (tenant_id,) in cursor.fetchall()]
    return set(found) if len(found) <= MAX_KEYS_OF_SEVERAL else None
