"""What is started for one object from the search: approving a request, a contract for a customer."""

import pytest

from portal.access_requests.models import AccessRequest, Outcome
from portal.accounts.models import Account
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.commands.test_search import found
from tests.support.members import add_member
from tests.today.test_portfolio import add_request

pytestmark = pytest.mark.both


@pytest.fixture
def objects(client, alice, acme, scoped):
    client.force_login(alice)
    add_request(acme, "Jane")
    add_request(acme, "John")
    for name in ("Northwind", "Northgate", "Helios"):
        Account.objects.create(platform_id=f"id/{name}", name=name, name_sort=name.casefold(), search=name.casefold())


def actions(client, words: str) -> list[str]:
    return found(client, words).get("Actions", [])


def test_a_request_is_approved_by_command_at_its_form(client, objects):
    assert actions(client, "approve jane") == ["Approve Jane…"]
    assert actions(client, "approve") == ["Approve Jane…", "Approve John…"], "who has waited longest first"
    [group] = [each for each in client.get("/t/acme/search/?q=approve jane").context["groups"] if each.label == "Actions"]
    [shown] = group.found
    assert shown.url.endswith("/#approve-form")
    assert b'id="approve-form"' in client.get(shown.url).content


def test_what_is_decided_is_not_offered(client, objects):
    AccessRequest.objects.filter(platform_id="ask-Jane").update(outcome=Outcome.APPROVED)
    assert actions(client, "approve jane") == []


def test_a_contract_is_begun_for_a_customer(client, objects):
    assert actions(client, "new contract for north") == ["New contract for Northgate…", "New contract for Northwind…"]
    assert actions(client, "new contract northwind") == ["New contract for Northwind…"]
    [group] = [
        each for each in client.get("/t/acme/search/?q=new contract helios").context["groups"] if each.label == "Actions"
    ]
    assert client.get(group.found[0].url).context["form"]["account_id"].value() == "id/Helios"


def test_without_its_command_an_object_offers_it_too(client, objects):
    assert actions(client, "helios") == ["New contract for Helios…"]
    assert set(actions(client, "northwind")) == {"Approve Jane…", "Approve John…", "New contract for Northwind…"}
    assert "New contract for Helios…" not in actions(client, "new contract"), "nobody is named yet"
    assert "New questionnaire" in actions(client, "new")


def test_s2_no_command_is_offered_that_the_role_may_not_give(client, bob, alice, acme, objects):
    client.force_login(bob)
    assert actions(client, "approve jane") == []
    assert actions(client, "new contract for north") == []


def test_s1_no_command_names_an_object_of_another_tenant(client, alice, globex, objects):
    add_member(tenant=globex, user=alice, role=Role.OWNER)
    with tenant_scope(globex.pk):
        for words in ("approve jane", "approve", "new contract for north", "helios"):
            groups = client.get("/t/globex/search/", {"q": words}).context["groups"]
            assert [each.title for group in groups for each in group.found if "…" in each.title] == []
