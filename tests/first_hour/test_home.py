"""Where a person starts: with one tenant in it, with several on the portfolio."""

import pytest

from portal.tenants.models import Role
from tests.support.members import add_member, remove_members

pytestmark = pytest.mark.django_db
PORTFOLIO = 'href="/portfolio/"'


def test_one_tenant_means_no_portfolio(client, alice, acme):
    client.force_login(alice)
    assert client.get("/")["Location"] == "/t/acme/"
    for page in ("/t/acme/", "/accounts/profile/", "/tenants/new/"):
        assert PORTFOLIO not in client.get(page).content.decode(), page


def test_several_tenants_begin_on_the_portfolio(client, alice, acme, globex):
    add_member(user=alice, tenant=globex, role=Role.VIEWER)
    client.force_login(alice)
    assert client.get("/")["Location"] == "/portfolio/"
    assert PORTFOLIO in client.get("/t/acme/").content.decode()


def test_without_a_tenant_one_is_created(client, bob, acme):
    remove_members(user=bob)
    client.force_login(bob)
    assert client.get("/")["Location"] == "/tenants/new/"
    assert "Open the link in your invitation" in client.get("/tenants/new/").content.decode()


def test_signed_out_means_sign_in(client, db):
    assert client.get("/")["Location"].startswith("/accounts/login/")
