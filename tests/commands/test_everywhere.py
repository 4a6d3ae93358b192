"""The search over all tenants of a person: each hit names its tenant, nobody else's is found, and forty cost what a few do."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.contracts.models import Contract
from portal.incidents.models import Incident
from portal.saved_views.lists import list_pages
from portal.search import indexes
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from tests.questionnaires.test_list import make
from tests.support.members import add_member

PAGE = "/search/"
TABLE = Contract._meta.db_table

pytestmark = pytest.mark.both


def found(client, words: str) -> dict[str, list[str]]:
    groups = client.get(PAGE, {"q": words}).context["groups"]
    return {group.label: [each.title for each in group.found] for group in groups}


@pytest.fixture
def both(client, alice, acme, globex):
    """Alice owns acme and reads globex; both have something of Gildersea."""
    add_member(tenant=globex, user=alice, role=Role.VIEWER)
    client.force_login(alice)
    with tenant_scope(acme.pk):
        make("SIG Lite of Gildersea")
        Incident.objects.create(name="Leak at Gildersea", search="leak at gildersea", noticed_at=timezone.now())
    with tenant_scope(globex.pk):
        make("CAIQ of Gildersea")
    return acme, globex


def test_each_hit_names_its_tenant_and_leads_into_it(client, both):
    assert found(client, "gildersea") == {
        "Acme: Questionnaires": ["SIG Lite of Gildersea"],
        "Acme: Incidents": ["Leak at Gildersea"],
        "Globex: Questionnaires": ["CAIQ of Gildersea"],
    }
    urls = [each.url for group in client.get(PAGE, {"q": "gildersea"}).context["groups"] for each in group.found]
    assert {client.get(url).status_code for url in urls} == {200}


def test_what_a_list_lets_find_in_one_tenant_is_found_over_all():
    assert [page.key for page in list_pages() if (page.find is None) != (page.searched is None)] == []


def test_a_tenant_is_found_by_its_name(client, both):
    assert found(client, "glob")["Tenants"] == ["Globex"]
    assert found(client, "")["Tenants"] == ["Acme", "Globex"]


def test_s1_nothing_of_somebody_elses_tenant_is_found_or_named(client, alice, acme, globex):
    with tenant_scope(globex.pk):
        make("Secret of Gildersea")
        Incident.objects.create(name="Secret at Gildersea", search="secret at gildersea", noticed_at=timezone.now())
    client.force_login(alice)
    for words in ("secret", "gildersea", "globex", "sec"):
        answer = client.get(PAGE, {"q": words})
        assert answer.context["groups"] == []
        assert b"Globex" not in answer.content


def test_s2_a_tenant_that_wants_a_second_factor_is_not_searched_without_one(client, both):
    _, globex = both
    Tenant.objects.filter(pk=globex.pk).update(requires_second_factor=True)
    assert "Globex: Questionnaires" not in found(client, "gildersea")
    assert found(client, "globex") == {}


def test_s1_signed_out_nothing_is_searched(client, acme):
    assert client.get(PAGE, {"q": "gildersea"}).status_code == 302


def test_two_letters_search_no_tenant(client, both):
    assert found(client, "gi") == {}
    for headers in ({}, {"HX-Request": "true"}):
        said = client.get(PAGE, {"q": "gi"}, headers=headers).content.decode()
        assert "Type at least three letters" in said
        assert "No result contains all of these words" not in said
    assert "No result contains all of these words" in client.get(PAGE, {"q": "nowhere"}).content.decode()


def test_the_box_is_there_outside_of_a_tenant_and_leads_there_from_within(client, both):
    assert f'hx-get="{PAGE}"' in client.get("/portfolio/").content.decode()
    fragment = client.get("/t/acme/search/", {"q": "gildersea"}, headers={"HX-Request": "true"}).content.decode()
    assert f'href="{PAGE}?q=gildersea"' in fragment
    assert "<html" not in client.get(PAGE, {"q": "gildersea"}, headers={"HX-Request": "true"}).content.decode()


def test_who_has_one_tenant_is_offered_no_wider_search(client, alice, acme):
    client.force_login(alice)
    fragment = client.get("/t/acme/search/", {"q": "gildersea"}, headers={"HX-Request": "true"}).content.decode()
    assert f'href="{PAGE}' not in fragment


def test_forty_tenants_cost_what_those_with_hits_cost(client, alice, acme):
    tenants = [acme]
    client.force_login(alice)
    for number in range(39):
        tenant = Tenant.objects.create(name=f"Tenant {number:02}", slug=f"tenant-{number:02}")
        add_member(tenant=tenant, user=alice, role=Role.OWNER)
        tenants.append(tenant)
    with tenant_scope(acme.pk):
        make("Only here")
    for tenant in tenants:
        with tenant_scope(tenant.pk):
            make("Everywhere")
    with CaptureQueriesContext(connection) as one:
        assert found(client, "only") == {"Acme: Questionnaires": ["Only here"]}
    with CaptureQueriesContext(connection) as all_of_them:
        shown = found(client, "everywhere")
    assert len(shown) == 9
    assert len(shown["Search in another tenant"]) == 32
    assert len(one) < 43
    assert len(all_of_them) < 100


def test_s1_tenants_are_named_within_the_scope_of_all_only_and_only_those_that_were_given(scoped, globex):
    Contract.objects.create(platform_id="c1", created_at=timezone.now(), search="northwind")
    with tenant_scope(globex.pk):
        Contract.objects.create(platform_id="c1", created_at=timezone.now(), search="northwind msa")
    ids = [scoped.pk, globex.pk]
    assert indexes.tenants_among(TABLE, ["northwind"], ids) is None
    with all_tenants("a look over several of them"):
        assert indexes.tenants_among(TABLE, ["northwind"], ids) == set(ids)
        assert indexes.tenants_among(TABLE, ["northwind", "msa"], ids) == {globex.pk}
        assert indexes.tenants_among(TABLE, ["northwind"], [scoped.pk]) == {scoped.pk}
        assert indexes.tenants_among(TABLE, ["northwind"], []) == set()
        assert indexes.tenants_among(TABLE, ["no"], ids) is None


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the function is PostgreSQL's")
def test_s1_the_function_itself_answers_nothing_in_the_scope_of_one_tenant(scoped, globex):
    with tenant_scope(globex.pk):
        Contract.objects.create(platform_id="c1", created_at=timezone.now(), search="northwind")
    statement, values = indexes.postgresql.search_among(TABLE, [globex.pk], ["northwind"], most=10)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.fetchall() == []
