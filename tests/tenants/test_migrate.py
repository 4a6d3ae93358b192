"""What makes an index on a large table has the time that it takes; the release before serves on, and a backup goes on."""

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import ProgrammingError, connection, transaction
from django.db.models.signals import pre_migrate

from portal.audit import guards
from portal.tenants import row_security
from portal.tenants.models import Membership
from portal.tenants.row_security import enable_row_security, grant_to_application

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no such limits"),
]


def limits() -> tuple[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
        return cursor.fetchone()


def test_a_migration_may_take_long_and_waits_for_no_lock_longer_than_before():
    before, found = limits(), []

    def look(**_: object) -> None:
        found.append(limits())

    sender = apps.get_app_config("tenants")
    pre_migrate.connect(look, sender=sender, weak=False, dispatch_uid="limits")
    try:
        call_command("migrate", interactive=False, verbosity=0)
    finally:
        pre_migrate.disconnect(sender=sender, dispatch_uid="limits")
    assert before == ("1min", "10s")
    assert found == [("0", "10s")]
    assert limits() == before


EXCLUSIVE = """
    SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND mode = 'AccessExclusiveLock'
"""
WALL = """
    SELECT relrowsecurity AND relforcerowsecurity, (SELECT count(*) FROM pg_policy WHERE polrelid = pg_class.oid)
    FROM pg_class WHERE relname = 'tenants_membership'
"""


def wall() -> tuple[bool, int]:
    with connection.cursor() as cursor:
        cursor.execute(WALL)
        return cursor.fetchone()


def after_migrate() -> None:
    """What stands once, and a test of the whole leaves out: see `tests.support.flushes`."""
    for app in apps.get_app_configs():
        enable_row_security(app, using="default")
        grant_to_application(app, using="default")
    guards.renew(using="default")


def test_while_a_backup_reads_every_table_a_migrate_with_nothing_to_do_waits_for_none():
    settings = connection.settings_dict
    with (
        psycopg.connect(
            dbname=settings["NAME"],
            host=settings["HOST"],
            port=settings["PORT"],
            user=settings["USER"],
            password=settings["PASSWORD"],
        ) as backup,
        connection.cursor() as cursor,
    ):
        tables = connection.introspection.table_names(cursor)
        backup.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS SHARE MODE")
        cursor.execute("SET LOCAL lock_timeout = '50ms'")
        after_migrate()
        cursor.execute(EXCLUSIVE)
        assert cursor.fetchone() == (0,)


def test_s17_a_wall_that_cannot_be_made_anew_leaves_the_one_that_stands(monkeypatch):
    monkeypatch.setattr(row_security, "in_scope", lambda _: "no_such_column")
    with pytest.raises(ProgrammingError, match="no_such_column"), transaction.atomic():
        enable_row_security(apps.get_app_config("tenants"), using="default")
    assert wall() == (True, 1)


@pytest.mark.parametrize(
    "done",
    [
        "DROP POLICY tenant_in_scope ON {}",
        "ALTER TABLE {} NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE {} DISABLE ROW LEVEL SECURITY",
        "COMMENT ON POLICY tenant_in_scope ON {} IS 'of another release'",
    ],
)
def test_s17_a_wall_that_is_not_as_this_release_has_it_is_made_anew(done):
    with connection.cursor() as cursor:
        cursor.execute(done.format(Membership._meta.db_table))
        enable_row_security(apps.get_app_config("tenants"), using="default")
        assert wall() == (True, 1)
        cursor.execute("SELECT obj_description(oid) FROM pg_policy WHERE polrelid = 'tenants_membership'::regclass")
        assert cursor.fetchone() == (row_security.in_scope(Membership.also_in_scope),)
