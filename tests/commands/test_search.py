"""The search over all desks: objects, members, pages and things to do, for the reader's tenant and role."""

import pytest
from django.utils import timezone

from portal.accounts.models import Account
from portal.incidents.models import Incident
from portal.questionnaires.models import Questionnaire
from portal.tenants.scope import tenant_scope
from tests.questionnaires.test_list import make

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/search/"


def found(client, words: str) -> dict[str, list[str]]:
    """Return the titles that a search shows, by kind."""
    groups = client.get(PAGE, {"q": words}).context["groups"]
    return {group.label: [each.title for each in group.found] for group in groups}


@pytest.fixture
def objects(acme, globex):
    with tenant_scope(globex.pk):
        make("Gildersea of another tenant")
    with tenant_scope(acme.pk):
        make("SIG Lite of Gildersea")
        Account.objects.create(platform_id="a1", name="Gildersea Reinsurance", search="gildersea reinsurance", payload={})
        Incident.objects.create(name="Token found at Gildersea", search="token found at gildersea", noticed_at=timezone.now())


def test_it_finds_the_objects_of_every_desk(client, alice, objects):
    client.force_login(alice)
    shown = found(client, "gildersea")
    assert shown["Questionnaires"] == ["SIG Lite of Gildersea"]
    assert shown["Customers"] == ["Gildersea Reinsurance"]
    assert shown["Incidents"] == ["Token found at Gildersea"]
    assert found(client, "gildersea sig") == {"Questionnaires": ["SIG Lite of Gildersea"]}
    assert found(client, "nobody knows this") == {}


def test_s1_it_finds_nothing_of_another_tenant(client, mallory, globex, objects):
    client.force_login(mallory)
    answer = client.get("/t/globex/search/?q=gildersea").content.decode()
    assert "of another tenant" in answer
    assert "SIG Lite" not in answer
    assert client.get(f"{PAGE}?q=gildersea").status_code == 404


def test_it_leads_to_the_list_that_shows_the_rest(client, alice, scoped):
    for number in range(7):
        make(f"Helios {number}")
    client.force_login(alice)
    [group] = client.get(PAGE, {"q": "helios"}).context["groups"]
    assert len(group.found) == 5
    assert group.more_url == "/t/acme/questionnaires/?q=helios"
    assert client.get(group.more_url).status_code == 200


def test_without_words_it_offers_what_can_be_done_and_opened(client, alice, objects):
    client.force_login(alice)
    shown = found(client, "")
    assert set(shown) == {"Actions", "Pages"}
    assert {"Upload contract", "New incident", "Invite a teammate"} <= set(shown["Actions"])
    assert {"Today", "Questionnaires", "Audit", "Settings"} <= set(shown["Pages"])


@pytest.mark.parametrize("words", ["questionaires", "Questionnares", "qestionnaire"])
def test_what_is_misspelled_leads_to_what_was_meant(words, client, alice, objects):
    client.force_login(alice)
    shown = found(client, words)
    assert [*shown] == ["Did you mean"]
    assert "Questionnaires" in shown["Did you mean"]
    # Where something has the words, nothing else is offered.
    assert "Did you mean" not in found(client, "Gildersea")
    assert found(client, "xq") == {}


def test_s2_nothing_that_was_meant_is_offered_to_whom_it_is_shut(client, alice, bob, acme):
    client.force_login(alice)
    assert "Invite a teammate" in found(client, "teammte")["Did you mean"]
    client.force_login(bob)
    assert found(client, "teammte") == {}


def test_s2_nothing_is_offered_that_the_role_may_not_open(client, alice, bob, acme):
    client.force_login(bob)
    shown = found(client, "")
    assert "Audit" not in shown["Pages"]
    assert "Invite a teammate" not in shown.get("Actions", [])
    urls = [each.url for group in client.get(PAGE).context["groups"] for each in group.found]
    assert {client.get(url).status_code for url in urls} == {200}
    client.force_login(alice)
    urls = [each.url for group in client.get(PAGE).context["groups"] for each in group.found]
    assert {client.get(url).status_code for url in urls} == {200}


def test_a_member_is_found_by_name_or_address(client, alice, bob):
    client.force_login(alice)
    assert found(client, "viewer of")["Members"] == [str(bob)]
    assert found(client, bob.email)["Members"] == [str(bob)]


def test_the_box_at_the_top_gets_the_list_alone(client, alice, objects):
    client.force_login(alice)
    answer = client.get(PAGE, {"q": "gildersea"}, headers={"HX-Request": "true"}).content.decode()
    assert 'role="option"' in answer
    assert "<html" not in answer


@pytest.mark.parametrize("words", ["%", "_", "'", "\\", '"<b>', "a" * 300, "\u202e", "gildersea\nsig"])
def test_whatever_is_typed_is_answered(client, alice, objects, words):
    client.force_login(alice)
    assert client.get(PAGE, {"q": words}).status_code == 200


def test_it_asks_no_more_of_many_rows_than_of_few(client, alice, scoped, django_assert_max_num_queries):
    client.force_login(alice)
    for number in range(50):
        make(f"Helios {number}")
    client.get(PAGE, {"q": "helios"})
    with django_assert_max_num_queries(14):
        client.get(PAGE, {"q": "helios"})
    assert Questionnaire.objects.count() == 50
