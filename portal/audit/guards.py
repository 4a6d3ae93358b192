"""What makes the audit tables append-only in the database: triggers refuse every UPDATE, DELETE and TRUNCATE (guarantee S8).

One way is left, and it is the product's own: the rows of a tenant that was closed go with the tenant. An open one cannot be
removed, or its rows would go with it, and a closed one is not opened again, or it would be closed for a moment only. On
PostgreSQL the application's role has no right to change or delete them in the first place (see `portal.tenants.row_security`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connections, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLES = {
    "audit_entry": True,
    "audit_link": True,
    "audit_accountevent": False,
    "audit_accountlink": False,
}
"""Each table, and whether its rows belong to a tenant."""

IS_OPEN = "EXISTS (SELECT 1 FROM tenants_tenant WHERE id = OLD.tenant_id AND closed_at IS NULL)"
REFUSAL = "the audit trail is append-only"
TENANTS = "tenants_tenant"
REFUSAL_OF_TENANT = "only a closed tenant is removed"
REFUSAL_TO_OPEN = "a closed tenant stays closed"
SAME_ROW = {
    "audit_entry": "id = NEW.id",
    "audit_link": "id = NEW.id OR tenant_id = NEW.tenant_id AND (place = NEW.place OR entry_id = NEW.entry_id)",
    "audit_accountevent": "id = NEW.id",
    "audit_accountlink": "id = NEW.id OR place = NEW.place OR entry_id = NEW.entry_id",
}
"""What a new row must not be the same as: INSERT OR REPLACE of SQLite would remove the old one and ask no trigger."""
OF_TENANTS = {
    f"{TENANTS}_stay": ("DELETE", "OLD.closed_at IS NULL", REFUSAL_OF_TENANT),
    f"{TENANTS}_stay_closed": ("UPDATE", "OLD.closed_at IS NOT NULL AND NEW.closed_at IS NULL", REFUSAL_TO_OPEN),
}
"""Name of a trigger: at what, when, and what it says."""


def add(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Make the triggers."""
    vendor = editor.connection.vendor
    for statement in [*statements(vendor), *statements_of_tenants(vendor)]:
        editor.execute(statement, params=None)


def remove(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again, before the tables go."""
    vendor = editor.connection.vendor
    for statement in [*removals(vendor), *removals_of_tenants(vendor)]:
        editor.execute(statement, params=None)


def renew(using: str, **_: Any) -> None:
    """Make the triggers anew after each migrate: SQLite loses them when a migration makes a table anew."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        existing = set(connection.introspection.table_names(cursor))
        if existing.issuperset(TABLES):
            vendor = connection.vendor
            # On PostgreSQL they are replaced: to drop one waits until nobody reads the table, a backup for example.
            gone = [] if vendor == "postgresql" else [*removals(vendor), *removals_of_tenants(vendor)]
            for statement in [*gone, *statements(vendor), *statements_of_tenants(vendor)]:
                cursor.execute(statement)


def statements(vendor: str, tables: Mapping[str, bool] = TABLES) -> list[str]:
    """Return what makes the triggers of one kind of database."""
    make = _of_postgresql if vendor == "postgresql" else _of_sqlite
    return [statement for table, has_tenant in tables.items() for statement in make(table, has_tenant=has_tenant)]


def statements_of_tenants(vendor: str) -> list[str]:
    """Return what keeps open tenants, and the audit rows that would go with them."""
    made = []
    for name, (event, when, refusal) in OF_TENANTS.items():
        if vendor == "postgresql":
            raise_it = f"RAISE EXCEPTION '{refusal}' USING ERRCODE = 'integrity_constraint_violation';"
            at_each = f"BEFORE {event} ON {TENANTS} FOR EACH ROW WHEN ({when})"
            made += [
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {raise_it} END $$",
                f"CREATE OR REPLACE TRIGGER {name} {at_each} EXECUTE FUNCTION {name}()",
            ]
        else:
            refuse = f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
            made.append(f"CREATE TRIGGER {name} BEFORE {event} ON {TENANTS} WHEN {when} {refuse}")
    return made


def removals(vendor: str, tables: Iterable[str] = TABLES) -> list[str]:
    """Return what takes them away."""
    if vendor == "postgresql":
        return [f"DROP FUNCTION IF EXISTS {table}_append_only() CASCADE" for table in tables]
    return [f"DROP TRIGGER IF EXISTS {table}_no_{verb}" for table in tables for verb in ("update", "delete", "replace")]


def removals_of_tenants(vendor: str) -> list[str]:
    """Return what lets open tenants be removed, and closed ones be opened."""
    drop = "DROP FUNCTION IF EXISTS {}() CASCADE" if vendor == "postgresql" else "DROP TRIGGER IF EXISTS {}"
    return [drop.format(name) for name in OF_TENANTS]


def _of_postgresql(table: str, *, has_tenant: bool) -> list[str]:
    # The operation is asked for in an IF of its own: a TRUNCATE has no OLD.
    leave = f"IF TG_OP = 'DELETE' THEN IF NOT {IS_OPEN} THEN RETURN OLD; END IF; END IF;" if has_tenant else ""
    raise_it = f"RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';"
    name, emptied = f"{table}_append_only", f"{table}_no_truncate"
    return [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {leave} {raise_it} END $$",
        f"CREATE OR REPLACE TRIGGER {name} BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()",
        f"CREATE OR REPLACE TRIGGER {emptied} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {name}()",
    ]


def _of_sqlite(table: str, *, has_tenant: bool) -> list[str]:
    when = f" WHEN {IS_OPEN}" if has_tenant else ""
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    is_there = f"EXISTS (SELECT 1 FROM {table} WHERE {SAME_ROW[table]})"  # noqa: S608 - names of ours
    return [
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}{when} {refuse}",
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN {is_there} {refuse}",
    ]
