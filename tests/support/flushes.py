"""Emptying the database after a test with real transactions: what costs seconds on PostgreSQL costs milliseconds here."""

from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models.signals import post_migrate

from portal.audit import guards
from portal.tenants.scope import all_tenants

MADE_ONCE = (
    *("row_security", "grants", "search_indexes", "questionnaires_fulltext"),
    *("audit_guards", "work_item_triggers", "cache_table"),
)
"""What our apps make after each migrate. It stands as long as the tables do, and a flush leaves those."""


def make_flushes_cheap() -> None:
    """Keep Django's flush from truncating every table and from making policies and indexes anew. Once the tables are there."""
    for name in MADE_ONCE:
        # Some are connected for their own app, some for all.
        was_connected = [post_migrate.disconnect(sender=app, dispatch_uid=name) for app in (None, *apps.get_app_configs())]
        assert any(was_connected), name
    if connection.vendor == "postgresql":
        operations = type(connection.ops)
        operations.sql_flush = _delete_from_filled  # type: ignore[assignment, method-assign]
    operations = type(connection.ops)
    operations.execute_sql_flush = _execute_over_all_tenants(operations.execute_sql_flush)  # type: ignore[method-assign]


def _delete_from_filled(self: Any, style: Any, tables: list[str], **_: Any) -> list[str]:
    """Return a DELETE for each table that has rows. Foreign keys are deferred, so any order will do."""
    if not tables:
        return []
    names = [self.quote_name(table) for table in tables]
    asked = " UNION ALL ".join(f"(SELECT '{name}' FROM {name} LIMIT 1)" for name in names)  # noqa: S608
    with all_tenants("the flush of a test"), self.connection.cursor() as cursor:
        cursor.execute(asked)
        return [f"DELETE FROM {name}" for (name,) in cursor.fetchall()]  # noqa: S608


def _execute_over_all_tenants(execute: Any) -> Any:
    def run(self: Any, statements: list[str]) -> None:
        with all_tenants("the flush of a test"):
            execute(self, _past_the_guards(self.connection.vendor, statements))

    return run


def _past_the_guards(vendor: str, statements: list[str]) -> list[str]:
    """Empty the audit trail as well: tenants are closed first, and the accounts' tables are without their guard meanwhile."""
    named = " ".join(statements)
    closing = ["UPDATE tenants_tenant SET closed_at = created_at"] if "audit_" in named or guards.TENANTS in named else []
    guarded = {table: has_tenant for table, has_tenant in guards.TABLES.items() if not has_tenant and table in named}
    return [*guards.removals(vendor, guarded), *closing, *statements, *guards.statements(vendor, guarded)]
