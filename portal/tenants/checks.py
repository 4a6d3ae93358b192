"""Is row-level security a wall for the role that the portal connects as? Asked at every start and by `check --deploy`."""

from typing import Any

from django.conf import settings
from django.core import checks
from django.db import DatabaseError, connection

from portal.tenants.row_security import append_only_tables

# A role may take on every role that it is a member of, so these count as its own.
ROLE = (
    "SELECT current_user, bool_or(rolsuper), bool_or(rolbypassrls) FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER')"
)
OWNED = "SELECT count(*) FROM pg_class WHERE relrowsecurity AND relkind = 'r' AND pg_has_role(current_user, relowner, 'MEMBER')"
CHANGEABLE = (
    "SELECT relname FROM pg_class WHERE relname = ANY(%s) AND relnamespace = 'public'::regnamespace AND"
    " (has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege(oid, 'UPDATE')) ORDER BY relname"
)
ADVICE = (
    "Let DATABASE_URL name a role with neither SUPERUSER nor BYPASSRLS that owns no table, and run `manage.py migrate` as the "
    "owner of the tables. docs/operating.md shows how to make both."
)
ADVICE_ON_RIGHTS = (
    "Run `manage.py migrate` as the owner of the tables, with the role of the application in DATABASE_APPLICATION_ROLE: it "
    "takes these rights away. What was granted to another role or to PUBLIC has to be revoked there."
)


# Only with --deploy: `migrate` asks the others too, and is run by the owner. Not among those that Django asks only when a
# database is named: a bare `check --deploy` is what people type.
@checks.register(checks.Tags.security, deploy=True)
def check_database_role(**_: Any) -> list[checks.CheckMessage]:
    """Name what lets the role of the application read over the wall between tenants, or rewrite the audit trail (S17, S8)."""
    if connection.vendor != "postgresql" or settings.ON_THIS_MACHINE:
        return []
    try:
        with connection.cursor() as cursor:
            cursor.execute(ROLE)
            role, is_superuser, bypasses = cursor.fetchone() or ("", False, False)
            cursor.execute(OWNED)
            [owned] = cursor.fetchone() or (0,)
            cursor.execute(CHANGEABLE, [append_only_tables()])
            changeable = [table for (table,) in cursor.fetchall()]
    except DatabaseError:
        return []  # no database: others say so
    if is_superuser or bypasses:
        what = "a superuser" if is_superuser else "a role with BYPASSRLS"
        words = f"The database role {role} is {what}: row-level security does not hold it."
        return [checks.Error(words, hint=ADVICE, id="tenants.E001")]
    if owned:
        words = f"The database role {role} owns {owned} tables with row-level security, and could switch it off."
        return [checks.Error(words, hint=ADVICE, id="tenants.E002")]
    if changeable:
        words = f"The database role {role} may change rows of the audit trail: {', '.join(changeable)}."
        return [checks.Error(words, hint=ADVICE_ON_RIGHTS, id="tenants.E003")]
    return []
