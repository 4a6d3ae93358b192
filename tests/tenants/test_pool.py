"""The pool's check on PostgreSQL: cheap where the connection has just answered, and never a wall with a hole."""

import psycopg
import pytest
from django.db import connection as database

from portal.tenants.postgresql import pooled as pooled_connections
from portal.tenants.postgresql.pooled import Pooled, check_and_apply
from portal.tenants.scope import all_tenants, tenant_scope
from tests.environment import POSTGRESQL

pytestmark = pytest.mark.skipif(database.vendor != "postgresql", reason="SQLite has no pool")


@pytest.fixture
def pooled():
    with Pooled.connect(POSTGRESQL, autocommit=True) as connection:
        yield connection


def shown(connection: psycopg.Connection) -> str:
    return connection.execute("SELECT current_setting('portal.tenant', true)").fetchone()[0]


def test_s1_each_time_it_is_handed_out_a_connection_shows_the_scope_of_who_takes_it(pooled):
    for tenant_id in (1, 1, 2):
        with tenant_scope(tenant_id):
            check_and_apply(pooled)
        assert shown(pooled) == str(tenant_id)
    check_and_apply(pooled)
    assert shown(pooled) == ""


def test_one_that_has_just_answered_in_the_same_scope_is_not_asked_again(pooled, monkeypatch):
    asked = []
    execute = psycopg.Cursor.execute
    monkeypatch.setattr(psycopg.Cursor, "execute", lambda self, *args: asked.append(args) or execute(self, *args))
    with tenant_scope(1):
        check_and_apply(pooled)
        check_and_apply(pooled)
    assert len(asked) == 1
    monkeypatch.setattr(pooled_connections, "TRUSTED_SECONDS", 0.0)
    with tenant_scope(1):
        check_and_apply(pooled)
    assert len(asked) == 2


def test_o5_one_that_the_database_has_closed_is_found_without_asking(pooled):
    with tenant_scope(1):
        check_and_apply(pooled)
    with psycopg.connect(POSTGRESQL, autocommit=True) as other:
        ended = other.execute("SELECT pg_terminate_backend(%s, 5000)", [pooled.info.backend_pid]).fetchone()
    assert ended == (True,)
    with tenant_scope(1), pytest.raises(psycopg.OperationalError, match="closed"):
        check_and_apply(pooled)
    assert pooled.closed  # a pool would take it back otherwise


def test_s1_a_setting_that_a_rollback_has_undone_is_made_again():
    with Pooled.connect(POSTGRESQL) as connection:
        with tenant_scope(1):
            check_and_apply(connection)
        connection.rollback()
        assert shown(connection) in ("", None)
        connection.rollback()
        with tenant_scope(1):
            check_and_apply(connection)
        assert shown(connection) == "1"


def test_s1_a_scope_that_was_left_is_not_shown_to_the_next_request(db, acme):
    with all_tenants("the test asks for nothing"), database.cursor() as cursor:
        cursor.execute("SELECT 1")
    with tenant_scope(acme.pk), database.cursor() as cursor:
        cursor.execute("SELECT current_setting('portal.tenant')")
        assert cursor.fetchone() == (str(acme.pk),)
