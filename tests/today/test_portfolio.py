"""The work of all tenants as one queue: each row named, acted on in its own tenant, by the role there."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access_requests.models import WINDOW, AccessRequest, Decision
from portal.access_requests.services.store import person_columns
from portal.incidents.models import Incident, Notice, Rank
from portal.saved_views.models import OwnView
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.today import portfolio, work
from portal.today.portfolio import undo_everywhere
from portal.users.models import User
from portal.work_items import selectors
from portal.work_items.models import Snooze, WorkItem
from portal.work_items.services import catch_up
from portal.work_items.tasks import sweep_work_items
from tests.support.members import add_member, add_second_tenant, remove_members

PAGE = "/portfolio/"
HTMX = {"HX-Request": "true", "HX-Target": "portfolio"}

pytestmark = pytest.mark.both


def add_notice(tenant: Tenant, customer: str, *, days: float = 2) -> None:
    now = timezone.now()
    due = now + timezone.timedelta(days=days)
    with tenant_scope(tenant.pk):
        incident = Incident.objects.create(name=f"Leak at {customer}", noticed_at=now, opened_by_name="Alice")
        Notice.objects.create(
            incident=incident, account_id="a1", customer=customer, rank=Rank.DEADLINE, due_at=due, due_sort=due, tell_by=due
        )


def add_request(tenant: Tenant, name: str) -> None:
    now = timezone.now()
    with tenant_scope(tenant.pk):
        columns = person_columns(f"{name.lower()}@northwind.example", name, "Northwind")
        AccessRequest.objects.create(
            platform_id=f"ask-{name}", created_at=now, updated_at=now, access_level="FULL_ACCESS", payload={}, **columns
        )


def hold(row: AccessRequest, decided_by: User) -> None:
    """Decide a request; the decision has not left yet."""
    send_at = timezone.now() + WINDOW
    Decision.objects.create(
        access_request=row, verb="deny", send_at=send_at, decided_by=decided_by, decided_by_name=str(decided_by)
    )


@pytest.fixture
def both(alice, acme, globex):
    """Alice works for acme, and for globex as an analyst."""
    add_member(tenant=globex, user=alice, role=Role.ANALYST)
    return acme, globex


def titles(answer) -> list[tuple[str, str]]:
    return [(str(each.tenant), each.row.line.item.title) for each in answer.context["found"].rows]


def item_of(tenant: Tenant, kind: str) -> WorkItem:
    with tenant_scope(tenant.pk):
        return WorkItem.objects.get(kind=kind)


def test_the_worst_comes_first_and_every_row_names_its_tenant(client, alice, both):
    acme, globex = both
    add_notice(acme, "Later Ltd", days=3)
    add_notice(globex, "Late Ltd", days=-1)
    client.force_login(alice)
    answer = client.get(PAGE)
    assert [tenant for tenant, _ in titles(answer)] == ["Globex", "Acme"]
    assert [each.group for each in answer.context["found"].rows] == ["Overdue", "Later or no date"]
    page = answer.content.decode()
    assert '<span class="cut" title="Globex">Globex</span>' in page
    assert "/t/globex/incidents/" in page


def test_who_has_one_tenant_is_led_to_its_today(client, alice, both):
    acme, globex = both
    client.force_login(alice)
    page_version = client.get(PAGE).context["page_version"]
    remove_members(user=alice, tenant=globex)
    assert client.get(PAGE).url == "/t/acme/"
    Tenant.objects.filter(pk=acme.pk).update(requires_second_factor=True)
    assert client.get(PAGE).url == "/t/acme/", "the page there says what it takes"
    assert client.get(PAGE, headers=HTMX | {"Seen": page_version}).status_code == 200, "an open page gets its fragment"


def test_the_pill_of_a_connection_leads_to_it(client, alice, both):
    client.force_login(alice)
    page = client.get(PAGE).content.decode()
    assert 'href="/t/acme/settings/connection/"' in page


def test_filters_narrow_to_a_tenant_a_desk_and_ones_own(client, alice, both):
    acme, globex = both
    add_notice(acme, "Ours", days=3)
    add_notice(globex, "Theirs", days=-1)
    add_request(acme, "Jane")
    client.force_login(alice)
    assert {tenant for tenant, _ in titles(client.get(f"{PAGE}?tenant=globex"))} == {"Globex"}
    assert len(titles(client.get(f"{PAGE}?tab=overdue"))) == 1
    assert [title for _, title in titles(client.get(f"{PAGE}?desk=Access requests"))] == ["Jane"]
    # In globex an analyst can decide no access request: it is not theirs.
    add_request(globex, "John")
    assert [title for _, title in titles(client.get(f"{PAGE}?desk=Access requests&whose=mine"))] == ["Jane"]
    assert len(titles(client.get(f"{PAGE}?desk=Access requests"))) == 2
    assert len(titles(client.get(f"{PAGE}?tenant=nobody"))) == 4


def test_words_find_work_and_tenants_in_all_of_them_at_once(client, alice, both):
    acme, globex = both
    add_request(acme, "Jane")
    add_request(globex, "Jane")
    add_request(globex, "John")
    client.force_login(alice)
    assert sorted(titles(client.get(f"{PAGE}?q=jane"))) == [("Acme", "Jane"), ("Globex", "Jane")]
    assert titles(client.get(f"{PAGE}?q=jane&tenant=acme")) == [("Acme", "Jane")]
    answer = client.get(f"{PAGE}?q=glob")
    assert sorted(titles(answer)) == [("Globex", "Jane"), ("Globex", "John")]
    assert answer.context["found"].counts[""].number == 2
    assert titles(client.get(f"{PAGE}?q=nobody")) == []
    remove_members(user=alice, tenant=globex)
    add_second_tenant(alice)
    assert titles(client.get(f"{PAGE}?q=jane")) == [("Acme", "Jane")]


def test_filters_are_kept_by_each_person_for_themselves(client, alice, bob, both):
    client.force_login(alice)
    client.post(f"{PAGE}views/?desk=Access requests&tenant=globex&nonsense=1", {"name": "Theirs"})
    client.post(f"{PAGE}views/?desk=Access requests", {"name": "Theirs"})
    view = OwnView.objects.get()
    assert (view.owner, view.query) == (alice, "desk=Access+requests")
    assert b"?desk=Access+requests" in client.get(PAGE).content
    delete = f"{PAGE}views/{view.pk}/delete/"
    client.force_login(bob)
    assert client.post(delete).status_code == 404
    client.force_login(alice)
    client.post(delete)
    assert not OwnView.objects.exists()


def test_s1_tenants_of_others_are_neither_shown_nor_counted(client, alice, acme, globex):
    add_second_tenant(alice)
    add_notice(acme, "Ours")
    add_notice(globex, "Secret")
    client.force_login(alice)
    for query in ("", "?tenant=globex", "?whose=mine"):
        answer = client.get(PAGE + query)
        assert b"Secret" not in answer.content
        assert answer.context["found"].counts[""].number == 1
    with tenant_scope(globex.pk):
        catch_up()
        item = WorkItem.objects.get()
    assert client.post(f"/t/globex/today/portfolio/{item.pk}/snooze/").status_code == 404
    assert client.post(f"/t/acme/today/portfolio/{item.pk}/snooze/").status_code == 404


def test_a_row_acts_in_its_own_tenant_by_the_role_there(client, alice, both):
    acme, globex = both
    add_request(acme, "Jane")
    add_request(globex, "John")
    client.force_login(alice)
    page = client.get(PAGE).content.decode()
    jane, john = item_of(acme, "access_request"), item_of(globex, "access_request")
    assert f"/t/acme/today/portfolio/{jane.pk}/approve/" in page
    assert f"/t/globex/today/portfolio/{john.pk}/approve/" not in page
    assert client.post(f"/t/globex/today/portfolio/{john.pk}/approve/").status_code == 403
    answer = client.post(f"/t/acme/today/portfolio/{jane.pk}/approve/?tab=", headers=HTMX)
    assert "Acme: " in answer["HX-Trigger"]
    assert b"<h1>" not in answer.content
    with tenant_scope(acme.pk):
        assert not Decision.objects.exists()
    with tenant_scope(globex.pk):
        assert not Decision.objects.exists()


def test_what_has_not_left_is_undone_for_all_tenants_at_once(client, alice, connected, both):
    acme, _ = both
    add_request(acme, "Jane")
    client.force_login(alice)
    client.get(PAGE)
    item = item_of(acme, "access_request")
    page = client.post(f"/t/acme/today/portfolio/{item.pk}/approve/", follow=True)
    assert b"Sending 1 decision" in page.content
    assert b"1 decision undone" in client.post(f"{PAGE}undo/", follow=True).content
    assert b"Nothing was left to undo" in client.post(f"{PAGE}undo/", follow=True).content
    assert [title for _, title in titles(client.get(PAGE))] == ["Jane"]


def test_more_decisions_than_anybody_counts_are_said_to_be_more(client, alice, both, monkeypatch):
    acme, _ = both
    for module in (work, selectors):
        monkeypatch.setattr(module, "MAX_COUNTED", 2)
    for name in ("Jane", "John", "June"):
        add_request(acme, name)
    with tenant_scope(acme.pk):
        for row in AccessRequest.objects.all():
            hold(row, alice)
    client.force_login(alice)
    assert b"Sending 2+ decisions" in client.get(PAGE).content
    assert b"3 decisions undone" in client.post(f"{PAGE}undo/", follow=True).content


def test_undoing_asks_in_no_tenant_where_nothing_is_held(alice, acme):
    tenants = [Tenant.objects.create(name=f"Tenant {number}", slug=f"tenant-{number}") for number in range(6)]
    members = [add_member(tenant=tenant, user=alice, role=Role.OWNER) for tenant in tenants]
    with CaptureQueriesContext(connection) as one:
        assert undo_everywhere(members[:1], user_id=alice.pk) == 0
    with CaptureQueriesContext(connection) as all_six:
        assert undo_everywhere(members, user_id=alice.pk) == 0
    assert len(all_six) == len(one)


def test_of_many_tenants_a_page_works_off_the_newest_changes(client, alice, both, monkeypatch):
    monkeypatch.setattr(portfolio, "MAX_CAUGHT_UP", 1)
    acme, globex = both
    add_notice(acme, "Older Ltd")
    add_notice(globex, "Newer Ltd")
    client.force_login(alice)
    assert [tenant for tenant, _ in titles(client.get(PAGE))] == ["Globex"]
    assert {tenant for tenant, _ in titles(client.get(PAGE))} == {"Acme", "Globex"}


def test_what_was_undone_in_many_tenants_is_back_at_once_in_each(client, alice, both, monkeypatch):
    monkeypatch.setattr(portfolio, "MAX_CAUGHT_UP", 1)
    client.force_login(alice)
    for tenant in both:
        add_request(tenant, "Jane")
        with tenant_scope(tenant.pk):
            Membership.objects.filter(user=alice).update(role=Role.APPROVER)
            hold(AccessRequest.objects.get(), alice)
            catch_up()
    assert titles(client.get(PAGE)) == []
    answer = client.post(f"{PAGE}undo/", follow=True)
    assert b"2 decisions undone" in answer.content
    assert {tenant for tenant, _ in titles(answer)} == {"Acme", "Globex"}


def test_snoozing_is_for_oneself_and_stays_in_its_tenant(client, alice, both):
    _, globex = both
    add_notice(globex, "Theirs")
    client.force_login(alice)
    client.get(PAGE)
    item = item_of(globex, "incident_notice")
    client.post(f"/t/globex/today/portfolio/{item.pk}/snooze/", {"value": "3"})
    assert titles(client.get(PAGE)) == []
    with tenant_scope(globex.pk):
        assert Snooze.objects.get().user == alice


def test_a_tenant_that_wants_a_second_factor_shows_nothing_without_one(client, alice, both):
    _, globex = both
    add_notice(globex, "Behind a factor")
    Tenant.objects.filter(pk=globex.pk).update(requires_second_factor=True)
    client.force_login(alice)
    answer = client.get(PAGE)
    assert b"Behind a factor" not in answer.content
    assert b"Globex" in answer.content


def test_an_open_page_hears_of_changes_only(client, alice, both):
    acme, _ = both
    client.force_login(alice)
    page_version = client.get(PAGE).context["page_version"]
    assert client.get(PAGE, headers=HTMX | {"Seen": page_version}).status_code == 204
    add_notice(acme, "New")
    client.get("/t/acme/")
    fragment = client.get(PAGE, headers=HTMX | {"Seen": page_version})
    assert b"Leak at New" in fragment.content
    assert b"<html" not in fragment.content


@pytest.mark.usefixtures("within_a_minute")
def test_forty_tenants_with_many_items_cost_what_one_page_costs(client, alice, acme):
    tenants = [acme]
    for number in range(39):
        tenant = Tenant.objects.create(name=f"Tenant {number:02}", slug=f"tenant-{number:02}")
        add_member(tenant=tenant, user=alice, role=Role.OWNER)
        tenants.append(tenant)
    for number, tenant in enumerate(tenants):
        add_notice(tenant, f"Customer {number:02}", days=number)
    client.force_login(alice)
    sweep_work_items()
    client.get(PAGE, headers=HTMX)
    with CaptureQueriesContext(connection) as few:
        answer = client.get(PAGE, headers=HTMX)
    shown = titles(answer)
    assert len(shown) == 30
    for tenant in tenants:
        for number in range(3):
            add_notice(tenant, f"More {number}", days=60 + number)
    sweep_work_items()
    client.get(PAGE, headers=HTMX)
    with CaptureQueriesContext(connection) as many:
        again = client.get(PAGE, headers=HTMX)
    assert titles(again) == shown
    assert len(many) <= len(few) + 2
    seen, cursor = [], again.context["found"].next_cursor
    seen += titles(again)
    while cursor:
        answer = client.get(PAGE, {"cursor": cursor}, headers=HTMX)
        seen += titles(answer)
        cursor = answer.context["found"].next_cursor
    assert len(seen) == len(set(seen)) + sum(seen.count(each) - 1 for each in set(seen)) == 160
