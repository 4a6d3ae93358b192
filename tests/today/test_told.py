"""The bell on pages of no tenant: what one person was told in all of theirs, and nothing of anybody else's."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.notifications.kinds import ASSIGNED
from portal.notifications.models import Notification
from portal.notifications.services import notify
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from tests.support.members import add_member, remove_members

PAGE = "/notifications/"
HTMX = {"HX-Request": "true"}

pytestmark = pytest.mark.both


@pytest.fixture
def both(alice, acme, globex):
    """Alice works for acme, and for globex as an analyst."""
    add_member(tenant=globex, user=alice, role=Role.ANALYST)
    return acme, globex


def tell(tenant: Tenant, user, title: str) -> None:
    with tenant_scope(tenant.pk):
        notify(ASSIGNED, [user.pk], key=title, title=title, url=lambda slug: f"/t/{slug}/contracts/")


@pytest.fixture
def alice_in(client, alice):
    client.force_login(alice)
    return client


def test_the_portfolio_has_a_bell_over_all_tenants(alice_in, alice, bob, both):
    acme, globex = both
    tell(acme, alice, "CAIQ is yours")
    tell(globex, alice, "VSA is yours")
    tell(acme, bob, "Bob's own")
    assert f'hx-get="{PAGE}bell/"' in alice_in.get("/portfolio/").content.decode()
    for page in (alice_in.get(PAGE), alice_in.get(f"{PAGE}bell/", headers=HTMX)):
        text = page.content.decode()
        assert text.index("VSA is yours") < text.index("CAIQ is yours")
        assert "Bob" not in text
        assert "<b>Globex</b>" in text
    assert "2 unread" in alice_in.get(f"{PAGE}unread/", headers=HTMX).content.decode()
    assert alice_in.get(f"{PAGE}unread/", headers=HTMX | {"Seen": "2"}).status_code == 204


def test_one_is_opened_in_its_own_tenant(alice_in, alice, both):
    _, globex = both
    tell(globex, alice, "VSA is yours")
    with tenant_scope(globex.pk):
        row = Notification.objects.get()
    address = f"/t/globex/notifications/{row.pk}/open/"
    assert address in alice_in.get(PAGE).content.decode()
    assert alice_in.post(address)["Location"] == "/t/globex/contracts/"
    assert "All read" in alice_in.get(f"{PAGE}?tab=unread").content.decode()


def test_all_are_read_in_every_tenant_and_nobody_elses(alice_in, alice, bob, both):
    for tenant in both:
        tell(tenant, alice, "Yours")
    tell(both[0], bob, "Bob's own")
    assert "Mark all read" not in alice_in.post(f"{PAGE}read/", headers=HTMX).content.decode()
    for tenant, unread in zip(both, (1, 0), strict=True):
        with tenant_scope(tenant.pk):
            assert Notification.objects.unread().count() == unread
    assert alice_in.post(f"{PAGE}read/")["Location"] == PAGE


def test_s1_a_tenant_that_somebody_has_left_is_not_in_it(alice_in, alice, both):
    _, globex = both
    tell(globex, alice, "VSA is yours")
    remove_members(tenant=globex, user=alice)
    assert "VSA" not in alice_in.get(PAGE).content.decode()
    assert alice_in.get(f"{PAGE}unread/", headers=HTMX | {"Seen": "0"}).status_code == 204


def test_a_tenant_that_asks_for_a_second_factor_shows_nothing_without_it(alice_in, alice, both):
    _, globex = both
    tell(globex, alice, "VSA is yours")
    globex.requires_second_factor = True
    globex.save()
    assert "VSA" not in alice_in.get(PAGE).content.decode()


def test_the_open_list_hears_of_changes_in_any_tenant(alice_in, alice, both):
    seen = alice_in.get(PAGE, headers=HTMX).context["page_version"]
    assert alice_in.get(PAGE, headers=HTMX | {"Seen": seen}).status_code == 204
    tell(both[1], alice, "VSA is yours")
    assert alice_in.get(PAGE, headers=HTMX | {"Seen": seen}).status_code == 200


@pytest.mark.usefixtures("within_a_minute")
def test_forty_tenants_cost_what_two_cost(alice_in, alice, both):
    def cost() -> int:
        alice_in.get(f"{PAGE}bell/")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            alice_in.get(f"{PAGE}bell/")
        return len(queries)

    for tenant in both:
        tell(tenant, alice, "Yours")
    few = cost()
    for number in range(38):
        tenant = create_tenant(f"Tenant {number}", owner=alice)
        tell(tenant, alice, "Yours")
    assert cost() == few
