"""Row-level security for every table of a tenant model, on PostgreSQL only. Runs after each migrate, so none is forgotten."""

from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import connections, transaction

from portal.tenants.managers import TenantModel
from portal.tenants.postgresql.pooled import SETTING

POLICY = "tenant_in_scope"
# Of a bare comparison the planner assumes that one row in a hundred meets it, and then sorts all rows of a list where it could
# read one page of its index; of a CASE it assumes half of them. Nearly all rows that it is asked about meet it: each query
# names its tenant as well.
IN_SCOPE = f"CASE WHEN current_setting('{SETTING}', true) IN ('all', tenant_id::text{{also}}) THEN true ELSE false END"

# The condition stands beside its policy as we wrote it; PostgreSQL keeps it in words of its own.
STANDING = """
    SELECT relname, obj_description(pg_policy.oid, 'pg_policy') FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid
    WHERE polname = %s AND relrowsecurity AND relforcerowsecurity AND pg_table_is_visible(pg_class.oid)
"""

# It runs with the rights of its owner: temporary objects, which anybody can make, are named last. Unnamed they come first.
FOUND = """
    CREATE FUNCTION {table}_found(query pg_catalog.tsquery, most integer{arguments}) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE tenant pg_catalog.tsquery := quote_literal('tenant ' || current_setting('{setting}', true))::pg_catalog.tsquery;
    BEGIN RETURN QUERY EXECUTE '{statement}' USING tenant, query, most{names}; END $$
"""

# In the scope of all tenants only, which reads every row anyway: it names tenants, those of them that were given.
FOUND_AMONG = """
    CREATE FUNCTION {table}_found_among(tenants bigint[], query pg_catalog.tsquery, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE given pg_catalog.tsquery := (
        SELECT string_agg(quote_literal('tenant ' || each), ' | ') FROM unnest(tenants) AS each
    )::pg_catalog.tsquery;
    BEGIN
        IF current_setting('{setting}', true) IS DISTINCT FROM 'all' THEN RETURN; END IF;
        RETURN QUERY EXECUTE '{statement}' USING given, query, most;
    END $$
"""


def in_scope(also: str = "") -> str:
    """Return the condition that a row of a tenant meets in its scope; `also` is what else the scope may say, as SQL."""
    return IN_SCOPE.format(also=f", {also}" if also else "")


def walled(table: str) -> tuple[str, str]:
    """Return what puts a table of an index behind the policy: its columns are `id`, `tenant_id` and a vector.

    Only its owner is not held to it (no FORCE): under a policy PostgreSQL uses no index of words, so the owner's function reads
    it for everybody else.
    """
    return (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"CREATE POLICY {POLICY} ON {table} USING ({in_scope()})",
    )


def found(table: str, statement: str, *more: str) -> str:
    """Return what makes the function that searches such a table in the scope of one tenant, and in no other.

    The statement says `$1` for the word of the tenant, `$2` for the query, `$3` for how many keys, and so on for `more`
    arguments ("name type"). The tenant comes from the connection, never from whoever asks. It is planned anew each time: of
    words that it knows, the planner knows how common they are.
    """
    names = "".join(f", {each.partition(' ')[0]}" for each in more)
    arguments = "".join(f", {each}" for each in more)
    return FOUND.format(table=table, statement=statement.replace("'", "''"), names=names, arguments=arguments, setting=SETTING)


def found_among(table: str, statement: str) -> str:
    """Return what makes the function that searches such a table for several tenants at once, in the scope of all of them.

    The statement says `$1` for the words of the tenants, `$2` for the query and `$3` for how many rows are looked at.
    """
    return FOUND_AMONG.format(table=table, statement=statement.replace("'", "''"), setting=SETTING)


def enable_row_security(sender: AppConfig, using: str, **_: Any) -> None:
    """Switch the policy on for the tenant models of one app, and for those that say that they have it.

    The owner of the tables is held to it too (FORCE).
    """
    connection = connections[using]
    if connection.vendor != "postgresql":
        return
    tables = {
        model._meta.db_table: in_scope(getattr(model, "also_in_scope", ""))
        for model in sender.get_models()
        if issubclass(model, TenantModel) or getattr(model, "has_row_security", False)
    }
    with connection.cursor() as cursor:
        existing = set(connection.introspection.table_names(cursor))
        cursor.execute(STANDING, [POLICY])
        standing = dict(cursor.fetchall())
        for table in existing & tables.keys():
            # Each of these waits until nobody reads the table, a backup for example, and has everybody wait meanwhile.
            if standing.get(table) != tables[table]:
                # Together: between them the table would show nobody anything.
                with transaction.atomic(using=using):
                    _wall(cursor, connection.ops.quote_name(table), tables[table])


def _wall(cursor: Any, name: str, condition: str) -> None:
    cursor.execute(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
    cursor.execute(f"DROP POLICY IF EXISTS {POLICY} ON {name}")
    cursor.execute(f"CREATE POLICY {POLICY} ON {name} USING ({condition})")
    cursor.execute(f"COMMENT ON POLICY {POLICY} ON {name} IS %s", [condition])


def grant_to_application(sender: AppConfig, using: str, **_: Any) -> None:
    """Let the role of the application read and write what the owner has migrated, and nothing else (guarantee S17).

    After every app: some make tables beside their models once those are there.
    """
    connection, role = connections[using], settings.DATABASE_APPLICATION_ROLE
    if connection.vendor != "postgresql" or not role:
        return
    name = connection.ops.quote_name(role)
    # Together: between them the application would have a right that it must not have.
    with transaction.atomic(using=using), connection.cursor() as cursor:
        cursor.execute(f"GRANT USAGE ON SCHEMA public TO {name}")
        cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {name}")
        cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {name}")
        existing = set(connection.introspection.table_names(cursor))
        for table in filter(existing.__contains__, append_only_tables()):
            cursor.execute(f"REVOKE UPDATE, DELETE ON {connection.ops.quote_name(table)} FROM {name}")


def append_only_tables() -> list[str]:
    """Return the tables whose rows the application adds and never changes: the audit trail (guarantee S8)."""
    return [model._meta.db_table for model in apps.get_models() if getattr(model, "is_append_only", False)]
