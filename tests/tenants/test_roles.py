"""S17: row-level security is a wall only for a role that can neither climb over it nor take it down."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.apps import apps
from django.core import checks
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.utils import timezone

from portal.audit.chain import seal, verify
from portal.audit.models import AccountEvent, Entry, Link
from portal.audit.services import record
from portal.tenants.checks import check_database_role
from portal.tenants.models import Tenant
from portal.tenants.row_security import append_only_tables, grant_to_application
from portal.tenants.scope import all_tenants, tenant_scope
from tests.environment import POSTGRESQL

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
    pytest.mark.xdist_group("database-roles"),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no roles"),
]
SUPERUSER = f"postgres://postgres@{POSTGRESQL.partition('@')[2].partition('/')[0]}/postgres"
ROLES = {
    "wall_app": "",
    "wall_bypass": "BYPASSRLS",
    "wall_super": "SUPERUSER",
    "wall_member": "IN ROLE wall_bypass",
    "wall_owner": "",
}


@pytest.fixture(scope="module")
def roles() -> Iterator[None]:
    with psycopg.connect(SUPERUSER, autocommit=True) as server:
        for name, option in ROLES.items():
            server.execute(f"DROP ROLE IF EXISTS {name}")
            server.execute(f"CREATE ROLE {name} {option}")
            server.execute(f"GRANT {name} TO portal_tests")
        yield
        for name in ROLES:
            server.execute(f"DROP ROLE {name}")


@contextmanager
def connected_as(role: str) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {role}")
        try:
            yield
        finally:
            if not connection.needs_rollback:
                cursor.execute("RESET ROLE")


@pytest.mark.parametrize(
    ("role", "words"),
    [
        ("wall_super", "is a superuser"),
        ("wall_bypass", "with BYPASSRLS"),
        ("wall_member", "with BYPASSRLS"),
        ("wall_owner", "owns 1 table"),
        ("wall_app", ""),
    ],
)
def test_s17_a_role_that_the_wall_does_not_hold_is_named(roles, settings, role, words):
    settings.ON_THIS_MACHINE = False
    with connection.cursor() as cursor:
        cursor.execute("GRANT CREATE ON SCHEMA public TO wall_owner")
        cursor.execute("ALTER TABLE calendars_holiday OWNER TO wall_owner")
    with connected_as(role):
        found = check_database_role()
    assert [words in message.msg and message.is_serious() for message in found] == ([True] if words else [])


def test_s17_on_ones_own_machine_one_role_may_do_everything(settings):
    settings.ON_THIS_MACHINE = True
    assert check_database_role() == []


def test_s17_the_application_reads_and_writes_and_cannot_take_the_wall_down(roles, settings, acme, globex):
    settings.DATABASE_APPLICATION_ROLE = "wall_app"
    with tenant_scope(globex.pk), connection.cursor() as cursor:
        cursor.execute("INSERT INTO calendars_holiday (tenant_id, day, name) VALUES (%s, '2026-12-25', 'Theirs')", [globex.pk])
    grant_to_application(apps.get_app_config("tenants"), "default")
    with tenant_scope(acme.pk), connected_as("wall_app"), connection.cursor() as cursor:
        cursor.execute("INSERT INTO calendars_holiday (tenant_id, day, name) VALUES (%s, '2026-12-25', 'Ours')", [acme.pk])
        cursor.execute("SELECT name FROM calendars_holiday")
        assert cursor.fetchall() == [("Ours",)]
        for statement in (
            "ALTER TABLE calendars_holiday DISABLE ROW LEVEL SECURITY",
            "ALTER TABLE calendars_holiday NO FORCE ROW LEVEL SECURITY",
            "DROP POLICY tenant_in_scope ON calendars_holiday",
            "TRUNCATE calendars_holiday",
        ):
            with pytest.raises(ProgrammingError, match=r"must be owner|permission denied"), transaction.atomic():
                cursor.execute(statement)
    with connection.cursor() as cursor:  # or the role could not be dropped
        cursor.execute("DROP OWNED BY wall_app")


@pytest.fixture
def application(roles, settings) -> Iterator[str]:
    settings.DATABASE_APPLICATION_ROLE = "wall_app"
    grant_to_application(apps.get_app_config("tenants"), "default")
    yield "wall_app"
    with connection.cursor() as cursor:  # or the role could not be dropped
        cursor.execute("DROP OWNED BY wall_app")


def _may_not_change(cursor, table):
    for statement in ("UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {}", "ALTER TABLE {} DISABLE TRIGGER ALL"):
        with pytest.raises(ProgrammingError, match=r"must be owner|permission denied"), transaction.atomic():
            cursor.execute(statement.format(table))


def test_s8_the_application_writes_the_audit_trail_and_has_no_right_to_change_it(application, acme, alice, client):
    with connected_as(application), connection.cursor() as cursor:
        client.force_login(alice)  # an event of an account
        with tenant_scope(acme.pk):
            entry = record("thing.do", target=("thing", "1"), summary="Did.", actor=alice)
            seal(acme.pk, [entry.pk])
        assert verify(acme.pk).links == 1
        assert AccountEvent.objects.filter(user=alice).exists()
        assert sorted(append_only_tables()) == ["audit_accountevent", "audit_accountlink", "audit_entry", "audit_link"]
        for table in append_only_tables():
            _may_not_change(cursor, table)


def test_s8_the_rows_of_a_tenant_go_with_it_once_it_is_closed_and_not_before(application, acme, globex, alice):
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            seal(tenant.pk, [record("thing.do", target=("thing", "1"), summary="Did.", actor=alice).pk])
    with connected_as(application), all_tenants("a closed tenant is removed"):
        with pytest.raises(IntegrityError, match="only a closed tenant"), transaction.atomic():
            acme.delete()
        Tenant.objects.filter(pk=acme.pk).update(closed_at=timezone.now())
        acme.delete()
        assert list(Entry.objects.values_list("tenant_id", flat=True)) == [globex.pk]
        assert Link.objects.count() == 1


@pytest.mark.parametrize("right", ["UPDATE", "DELETE", "UPDATE (summary)"])
def test_s8_a_role_that_may_rewrite_the_audit_trail_is_named(application, settings, right):
    settings.ON_THIS_MACHINE = False
    with connected_as(application):
        assert check_database_role() == []
    with connection.cursor() as cursor:
        cursor.execute(f"GRANT {right} ON audit_entry TO {application}")
    with connected_as(application):
        [found] = check_database_role()
    assert (found.id, found.is_serious()) == ("tenants.E003", True)
    assert "audit_entry" in found.msg


def test_s8_migrating_takes_rights_away_that_were_granted_before(application):
    with connection.cursor() as cursor:
        cursor.execute(f"GRANT UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {application}")
        grant_to_application(apps.get_app_config("tenants"), "default")
        cursor.execute(f"SELECT has_table_privilege('{application}', 'audit_entry', 'UPDATE, DELETE')")
        assert cursor.fetchone() == (False,)


def test_s17_a_bare_check_of_the_deployment_asks_about_the_role():
    # Django asks those of the tag "database" only when one is named.
    assert check_database_role in checks.registry.registry.get_checks(include_deployment_checks=True)
    assert checks.Tags.database not in check_database_role.tags
