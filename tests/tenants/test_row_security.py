"""S17, S18: the second wall stands before every table, and no tenant's words reach over it."""

import pytest
from django.apps import apps
from django.db import connection

from portal.questionnaires import fulltext
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.models import Membership
from portal.tenants.offboarding import purge
from portal.tenants.scope import NoTenantScope, person_scope, tenant_scope

pytestmark = pytest.mark.django_db

ON_POSTGRESQL = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no policies")
TABLES = """
    SELECT relname, relrowsecurity, EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid)
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attname = 'tenant_id' AND NOT attisdropped
"""
BESIDE = r"""
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND (relname LIKE '%\_parts' OR relname LIKE '%\_words')
"""


@pytest.mark.once
@ON_POSTGRESQL
def test_s17_every_table_with_a_tenant_stands_behind_the_wall():
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        found = {table: (is_on, has_policy) for table, is_on, has_policy in cursor.fetchall()}
        cursor.execute(BESIDE)
        beside = {table for (table,) in cursor.fetchall()}
    assert len(found) > 50
    assert {table for table, walls in found.items() if walls != (True, True)} == set()
    tables = {model._meta.db_table for model in apps.get_models()}
    assert beside - found.keys() - tables == set(), "an index beside a table has its tenant too"
    assert len(beside - tables) > 5


DEFINERS = (
    "SELECT proname, array_to_string(proconfig, ',') FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
)
TAKE_OVER = """
    CREATE FUNCTION pg_temp.f(pg_catalog.tsquery) RETURNS bool LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'as %', current_user; END $$;
    CREATE DOMAIN pg_temp.tsquery AS pg_catalog.tsquery CHECK (pg_temp.f(VALUE));
"""


@pytest.mark.once
@ON_POSTGRESQL
def test_s17_no_function_of_the_owner_runs_what_somebody_else_has_made(acme):
    with connection.cursor() as cursor:
        cursor.execute(DEFINERS)
        paths = dict(cursor.fetchall())
        assert len(paths) > 5
        assert {name for name, path in paths.items() if not (path or "").endswith(", pg_temp")} == set()
        # A type of a temporary schema is found first where it is not named last: its check would run as the owner.
        cursor.execute(TAKE_OVER)
        with tenant_scope(acme.pk):
            for name in paths:
                cursor.execute("SELECT proargtypes::regtype[]::text[] FROM pg_proc WHERE proname = %s", [name])
                [types] = cursor.fetchone() or ([],)
                given = ", ".join(f"NULL::pg_catalog.{each}" if each == "tsquery" else f"NULL::{each}" for each in types)
                cursor.execute(f"SELECT * FROM {name}({given})")  # noqa: S608 - names of ours


def answered(questionnaire, number, text):
    return Response(
        questionnaire=questionnaire,
        platform_id=f"r{number}",
        position=number,
        question=text,
        answer_text=text,
        is_answered=True,
        payload={},
        read_at=questionnaire.created_at,
    )


def fill(tenant, text, count):
    """Give a tenant so many answered questions that say this."""
    with tenant_scope(tenant.pk):
        dates = {"created_at": tenant.created_at, "updated_at": tenant.created_at}
        made = [Questionnaire(platform_id=f"q{n}", search=text.lower(), payload={}, **dates) for n in range(max(1, count // 5))]
        Questionnaire.objects.bulk_create(made)
        Response.objects.bulk_create([answered(made[0], number, text) for number in range(count)])


def test_s18_ten_thousand_rows_full_of_our_words_change_nothing_of_what_we_find(acme, globex, monkeypatch):
    """Also where they say what our entries are marked with, in the index and on the page."""
    monkeypatch.setattr(fulltext, "CANDIDATES", 200)
    marks = f"tenant{acme.pk} tenant {acme.pk} #{acme.pk}# 'tenant {acme.pk}'"
    fill(acme, "Do you encrypt backups?", 3)
    with tenant_scope(acme.pk):
        before = fulltext.find(["encrypt"], most=10)
        rows = list(Questionnaire.objects.matching("encrypt").values_list("pk", flat=True))
    assert (len(before), len(rows)) == (3, 1)
    fill(globex, f"Do you encrypt backups? {marks}", 10_000)
    with tenant_scope(acme.pk):
        assert fulltext.find(["encrypt"], most=10) == before
        assert list(Questionnaire.objects.matching("encrypt").values_list("pk", flat=True)) == rows
        assert fulltext.find([f"tenant{acme.pk}"], most=10) == []
    with tenant_scope(globex.pk):
        assert not set(fulltext.find(["encrypt"], most=50)) & set(before)


@pytest.mark.once
@ON_POSTGRESQL
def test_s17_a_search_goes_by_the_scope_of_the_connection_and_by_nothing_else(acme, globex):
    fill(acme, "Do you encrypt backups?", 3)
    with tenant_scope(globex.pk), connection.cursor() as cursor:
        cursor.execute("SELECT * FROM questionnaires_words_found($$'tenant 1' | 'encrypt' | 'backup'$$::tsquery, 10, 10)")
        assert cursor.fetchall() == []


def test_s17_who_asks_which_tenants_they_are_in_sees_their_own_rows_alone(acme, globex, alice, mallory):
    with person_scope(alice.pk):
        assert [row.tenant for row in Membership.objects.all()] == [acme]
        assert not Membership.objects.filter(user=mallory).exists()
        with pytest.raises(NoTenantScope):
            Questionnaire.objects.count()
        with tenant_scope(globex.pk):
            assert [row.user for row in Membership.objects.all()] == [mallory]
    with tenant_scope(acme.pk), person_scope(mallory.pk):
        assert [row.tenant for row in Membership.objects.all()] == [globex]
    with pytest.raises(NoTenantScope):
        Membership.objects.count()


@pytest.mark.once
@ON_POSTGRESQL
def test_s17_the_database_itself_shows_a_person_no_membership_of_others_and_no_row_of_a_tenant(acme, globex, alice, mallory):
    fill(acme, "Do you encrypt backups?", 3)
    with person_scope(alice.pk), connection.cursor() as cursor:
        cursor.execute("SELECT user_id FROM tenants_membership")
        assert cursor.fetchall() == [(alice.pk,)]
        cursor.execute("UPDATE tenants_membership SET role = 50 WHERE user_id <> %s", [alice.pk])
        assert cursor.rowcount == 0
        cursor.execute("SELECT count(*) FROM questionnaires_questionnaire")
        assert cursor.fetchone() == (0,)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tenants_membership")
        assert cursor.fetchone() == (0,), "nothing is seen without a scope"


def test_a_member_stays_when_the_copy_of_the_platform_goes(acme, alice):
    with tenant_scope(acme.pk):
        purge()
        assert Membership.objects.get().user == alice
