"""Answered questions by their words, found by the database's own full-text search.

The words stand in a table of their own, which triggers keep equal to the rows: SQLite's index is a table, and PostgreSQL reads
no index of words under a policy of row-level security. Each entry holds its tenant beside its words, in a form that no text can
have, so that a search never walks through the entries of another one; it gives keys only, and the rows are read through their
own walls. On SQLite how telling a word is counts the entries of all tenants: the order may differ by that, the entries never.
"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db import connection, connections

from portal.lib.table_columns import column_names
from portal.questionnaires.fulltext import postgresql, sqlite
from portal.tenants.scope import current_tenant_id

CANDIDATES = 2000
"""So many of the newest entries that have one of the words are ranked: a common word must not cost a walk through all."""
ENGINES = {"postgresql": postgresql, "sqlite": sqlite}


def keep_index(sender: AppConfig, using: str, **_: Any) -> None:
    """Make what is missing of the table and its triggers. Runs after each migrate: SQLite's are lost with a table made anew."""
    database = connections[using]
    with database.cursor() as cursor:
        existing = set(database.introspection.table_names(cursor))
        table = "questionnaires_response"
        if table not in existing or "answer_text" not in column_names(cursor, table):
            return  # migrated to a state before this
        for statement in ENGINES[database.vendor].statements(existing):
            cursor.execute(statement)


def find(words: Sequence[str], *, most: int) -> list[int]:
    """Return the keys of the tenant's answered questions that have one of the words, those with the most telling ones first."""
    if not words:
        return []
    statement = ENGINES[connection.vendor].search(current_tenant_id(), words, ranked=CANDIDATES, most=most)
    with connection.cursor() as cursor:
        cursor.execute(*statement)
        return [key for (key,) in cursor.fetchall()]
