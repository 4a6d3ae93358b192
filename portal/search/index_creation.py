"""Keeps an index of parts beside every table that is searched."""

from typing import Any

from django.apps import AppConfig
from django.db import connections

from portal.lib.table_columns import column_names
from portal.search.indexes import ENGINES
from portal.search.models import SearchedModel


def keep_indexes(sender: AppConfig, using: str, **_: Any) -> None:
    """Make what is missing of the indexes of one app. Runs after each migrate: SQLite's triggers go with a table made anew."""
    database = connections[using]
    tables = [model._meta.db_table for model in sender.get_models() if issubclass(model, SearchedModel)]
    with database.cursor() as cursor:
        existing = set(database.introspection.table_names(cursor)) if tables else set()
        for table in filter(existing.__contains__, tables):
            # The table may not be migrated that far.
            if "search" in column_names(cursor, table):
                for statement in ENGINES[database.vendor].statements(table, existing):
                    cursor.execute(statement)
