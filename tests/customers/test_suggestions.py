"""People whom nobody has matched: who is suggested, who is left out, and what comes of a click."""

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.access_requests.models import ListedDomain, ListKind, Viewer, ViewerRun
from portal.accounts.unmatched_people import NotAttached
from portal.audit.models import Entry
from portal.customers import services
from portal.customers.models import Dismissal, Kind
from portal.customers.suggestions import company_of, inbox
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from tests.access_requests.viewers import let_work
from tests.customers.conftest import PAGE, make_account, make_request, make_viewer, words
from tests.support.members import find_member
from tests.support.readings import all_was_read

LIST = f"{PAGE}people/"


def titles() -> list[str]:
    touch_areas("access_requests")  # the rows of these tests were made by hand
    return [each.title for each in inbox().open]


def test_people_of_a_customer_are_to_be_attached(scoped):
    make_account("Northwind Bank", "northwind.example")
    for name in ("Ann", "Bea", "Cid"):
        make_viewer(name, "northwind.example")
    make_request("Dan", "northwind.example")  # belongs to it by the email domain alone
    make_viewer("Old", "northwind.example", expires_sort=timezone.now())
    make_viewer("Gone", "northwind.example", gone_at=timezone.now())
    make_viewer("Done", "northwind.example", account_id="id-Northwind-Bank")
    assert titles() == ["Attach 3 viewers of northwind.example to Northwind Bank"]


def test_an_unknown_domain_with_several_people_is_worth_a_customer(scoped):
    make_viewer("Ann", "initech.example")
    make_request("Bea", "initech.example")
    make_viewer("Eve", "alone.example")
    for name in ("Fay", "Gus", "Hal"):
        make_viewer(name, "freemail.example")
        make_viewer(name, "listed.example")
    ListedDomain.objects.create(kind=ListKind.FREE_MAIL, domain="listed.example", listed_by_name="Alice")
    assert titles() == ["Create a customer for initech.example"]
    [found] = inbox().open
    assert found.description == "1 viewer, 1 pending request"
    assert found.form_query == "name=Initech&domain=initech.example"


def test_a_domain_of_two_customers_is_left_to_a_person(scoped, client, owner):
    make_account("One", "twin.example")
    make_account("Two", "twin.example")
    make_viewer("Ann", "twin.example")
    assert titles() == ["1 viewer of twin.example: One or Two?"]
    page = words(client.get(LIST))
    assert "more than one customer has this email domain" in page
    assert "Attach<" not in page
    with pytest.raises(NotAttached):
        services.attach_people("twin.example", member=owner)


def test_the_most_people_come_first(scoped):
    for domain, number in (("a.example", 2), ("b.example", 4), ("c.example", 3)):
        for one in range(number):
            make_viewer(f"P{one}", domain)
    assert [title.split()[-1] for title in titles()] == ["b.example", "c.example", "a.example"]


def test_attaching_is_a_run_of_the_access_desk(client, owner, desk):
    account = desk.first
    viewers = [make_viewer(name, account.domain) for name in ("Ann", "Bea")]
    touch_areas("access_requests")
    answer = client.post(f"{LIST}attach/", {"domain": account.domain})
    run = ViewerRun.objects.get()
    assert answer["Location"] == f"/t/acme/access-requests/viewers/changes/{run.pk}/"
    assert (run.verb, run.change.account_id, run.change.account_name) == ("link", account.platform_id, account.name)
    assert set(run.items.values_list("viewer_id", flat=True)) == {each.pk for each in viewers}


def test_what_was_attached_is_suggested_no_more(client, owner, desk, sandbox):
    account = desk.first
    there = sandbox.objects(desk.tenant_id, "viewers")[0]
    viewer = make_viewer("Ann", account.domain)
    Viewer.objects.filter(pk=viewer.pk).update(platform_id=there["id"])
    assert len(titles()) == 1
    client.post(f"{LIST}attach/", {"domain": account.domain})
    let_work()
    viewer.refresh_from_db()
    assert viewer.account_id == account.platform_id
    assert titles() == []


def test_nobody_to_attach_is_said(client, owner, desk):
    answer = client.post(f"{LIST}attach/", {"domain": desk.first.domain}, follow=True)
    assert "No one was attached" in words(answer)
    answer = client.post(f"{LIST}attach/", {"domain": "nobody.example"}, follow=True)
    assert "No account has this email domain" in words(answer)


def test_what_is_put_away_stays_away_until_it_is_brought_back(client, owner):
    make_viewer("Ann", "initech.example")
    make_viewer("Bea", "initech.example")
    assert "Create a customer for initech.example" in words(client.get(LIST))
    said = {"domain": "initech.example", "kind": "create"}
    client.post(f"{LIST}dismiss/", said)
    client.post(f"{LIST}dismiss/", said)
    assert Dismissal.objects.count() == Entry.objects.filter(action="customer.dismiss").count() == 1
    all_was_read("account", "viewer", "access_request")
    assert "Everyone is matched" in words(client.get(LIST, follow=True))
    assert "Suggest again" in words(client.get(f"{LIST}?show=dismissed"))
    # What is known of the domain since is another suggestion.
    make_account("Initech", "initech.example")
    assert titles() == ["Attach 2 viewers of initech.example to Initech"]
    client.post(f"{LIST}bring-back/", said)
    assert not Dismissal.objects.exists()


@pytest.mark.parametrize(
    "sent", [{}, {"domain": "x.example"}, {"domain": "x.example", "kind": "x"}, {"domain": "x" * 400, "kind": "create"}]
)
def test_nonsense_is_not_kept(client, owner, sent):
    assert client.post(f"{LIST}dismiss/", sent).status_code == 404
    assert not Dismissal.objects.exists()


def test_the_role_is_asked_for_by_the_change_itself(scoped, member):
    def as_a(role: Role) -> Membership:
        return find_member(tenant=scoped, user=member(role))

    viewer, analyst = as_a(Role.VIEWER), as_a(Role.ANALYST)
    for attempt in (
        lambda: services.attach_people("x.example", member=analyst),
        lambda: services.dismiss("x.example", Kind.CREATE, member=viewer),
        lambda: services.bring_back("x.example", Kind.CREATE, member=viewer),
    ):
        with pytest.raises(PermissionDenied):
            attempt()


def test_somebody_elses_people_are_not_suggested(client, scoped, mallory, globex):
    for name in ("Ann", "Bea"):
        make_viewer(name, "initech.example")
    assert len(titles()) == 1
    client.force_login(mallory)
    assert "initech.example" not in words(client.get("/t/globex/customers/people/"))


@pytest.mark.parametrize(
    ("domain", "name"),
    [("northwind.example", "Northwind"), ("eu.north-wind.example", "North Wind"), ("acme.co.uk", "Acme"), ("x", "X")],
)
def test_a_name_is_guessed(domain, name):
    assert company_of(domain) == name
