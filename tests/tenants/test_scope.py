import pytest
from django.db import connection as database

from portal.audit.models import Entry
from portal.audit.services import record
from portal.tenants.scope import NoTenantScope, WrongTenant, all_tenants, tenant_scope


@pytest.fixture
def entries(acme, globex):
    """One audit entry in each tenant."""
    made = []
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            made.append(record("test.done", target=("test", "1"), summary=tenant.name))
    return made


PROBES = {
    "all": lambda: list(Entry.objects.all()),
    "get": lambda: Entry.objects.get(pk=1),
    "exists": lambda: Entry.objects.exists(),
    "count": lambda: Entry.objects.count(),
    "update": lambda: Entry.objects.update(summary="x"),
    "create": lambda: Entry.objects.create(summary="x"),
    "bulk_create": lambda: Entry.objects.bulk_create([Entry(summary="x")]),
    "delete": lambda: Entry.objects.all().delete(),
    "base manager": lambda: Entry._base_manager.count(),
    "default manager": lambda: Entry._default_manager.count(),
    "raw save": lambda: Entry(summary="x", tenant_id=1).save(),
}


@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES.keys())
def test_s1_a_query_outside_of_any_scope_raises(entries, probe):
    with pytest.raises(NoTenantScope):
        probe()


def test_s1_a_scope_shows_one_tenant_only(entries, acme, globex):
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            assert [entry.summary for entry in Entry.objects.all()] == [tenant.name]


def test_s1_a_row_of_another_tenant_is_not_written(entries, acme):
    _, of_globex = entries
    with tenant_scope(acme.pk):
        for write in (of_globex.save, of_globex.delete, lambda: Entry.objects.bulk_create([of_globex])):
            with pytest.raises(WrongTenant):
                write()
        with pytest.raises(WrongTenant):
            Entry.objects.update(tenant_id=of_globex.tenant_id)


def test_s1_reloading_a_foreign_row_finds_nothing(entries, acme):
    with tenant_scope(acme.pk), pytest.raises(Entry.DoesNotExist):
        entries[1].refresh_from_db()


@pytest.mark.parametrize("wrong", [None, 0, -1, "1"])
def test_s1_a_scope_needs_a_tenant(wrong):
    with pytest.raises(NoTenantScope), tenant_scope(wrong):
        pass


def test_all_tenants_sees_every_row(entries):
    with all_tenants("this test"):
        assert Entry.objects.count() == 2


@pytest.mark.skipif("database.vendor != 'postgresql'", reason="row-level security is PostgreSQL's")
def test_s1_row_level_security_holds_below_the_manager(entries, acme):
    with tenant_scope(acme.pk), database.cursor() as cursor:
        cursor.execute("SELECT summary FROM audit_entry")
        assert cursor.fetchall() == [("Acme",)]
    with database.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM audit_entry")
        assert cursor.fetchone() == (0,)
