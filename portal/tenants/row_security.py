"""Row-level security for every table of a tenant model, on PostgreSQL only. Runs after each migrate, so none is forgotten."""

from typing import Any

from django.apps import AppConfig
from django.db import connections

from portal.tenants.managers import TenantModel
from portal.tenants.postgresql.pooled import SETTING

POLICY = "tenant_in_scope"
# Of a bare comparison the planner assumes that one row in a hundred meets it, and then sorts all rows of a list where it could
# read one page of its index; of a CASE it assumes half of them. Nearly all rows that it is asked about meet it: each query
# names its tenant as well.
IN_SCOPE = f"CASE WHEN current_setting('{SETTING}', true) IN ('all', tenant_id::text) THEN true ELSE false END"


def enable_row_security(sender: AppConfig, using: str, **_: Any) -> None:
    """Switch the policy on for the tenant models of one app. The owner of the tables is held to it too (FORCE)."""
    connection = connections[using]
    if connection.vendor != "postgresql":
        return
    tables = [model._meta.db_table for model in sender.get_models() if issubclass(model, TenantModel)]
    with connection.cursor() as cursor:
        existing = set(connection.introspection.table_names(cursor))
        for table in filter(existing.__contains__, tables):
            name = connection.ops.quote_name(table)
            cursor.execute(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
            cursor.execute(f"DROP POLICY IF EXISTS {POLICY} ON {name}")
            cursor.execute(f"CREATE POLICY {POLICY} ON {name} USING ({IN_SCOPE})")
