import pytest
from allauth.account.models import EmailAddress

from portal.members.models import Invitation
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants
from portal.users.models import User

PAGE = "/t/acme/settings/members/"


@pytest.fixture
def signed_in(client, alice, acme):
    client.force_login(alice)
    return client


def role_of(user, tenant) -> int | None:
    membership = Membership.objects.filter(user=user, tenant=tenant).first()
    return membership and membership.role


def test_it_shows_who_is_here(signed_in, bob):
    page = signed_in.get(PAGE).content
    assert b"alice@acme.example" in page
    assert b"viewer@acme.example" in page


def test_an_invited_address_joins_at_sign_in(signed_in, acme, client, mailoutbox):
    signed_in.post(PAGE + "invite/", {"email": "New@Acme.example", "role": Role.ANALYST})
    assert mailoutbox[0].to == ["new@acme.example"]

    user = User.objects.create_user("new@acme.example", "correct horse battery staple")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    signed_in.logout()
    signed_in.post("/accounts/login/", {"login": user.email, "password": "correct horse battery staple"})
    assert role_of(user, acme) == Role.ANALYST
    with all_tenants("this test"):
        assert not Invitation.objects.exists()


def test_nobody_gives_a_role_above_the_own_one(client, member, acme):
    client.force_login(member(Role.ADMIN))
    assert client.post(PAGE + "invite/", {"email": "x@acme.example", "role": Role.OWNER}).status_code == 422


def test_the_last_owner_stays(signed_in, alice, acme):
    membership = Membership.objects.get(user=alice)
    signed_in.post(f"{PAGE}{membership.pk}/remove/")
    signed_in.post(f"{PAGE}{membership.pk}/role/", {"role": Role.VIEWER})
    assert role_of(alice, acme) == Role.OWNER


def test_an_admin_cannot_remove_an_owner(client, alice, member, acme):
    client.force_login(member(Role.ADMIN))
    client.post(f"{PAGE}{Membership.objects.get(user=alice).pk}/remove/")
    assert role_of(alice, acme) == Role.OWNER


def test_s7_a_removed_member_sees_nothing_from_the_next_request_on(signed_in, bob, acme):
    membership = Membership.objects.get(user=bob)
    signed_in.post(f"{PAGE}{membership.pk}/remove/")
    signed_in.force_login(bob)
    assert signed_in.get(PAGE).status_code == 404


def test_a_member_of_another_tenant_cannot_be_changed(signed_in, mallory, globex):
    membership = Membership.objects.get(user=mallory)
    assert signed_in.post(f"{PAGE}{membership.pk}/remove/").status_code == 404
    assert role_of(mallory, globex) == Role.OWNER


def test_a_new_person_creates_a_tenant_and_owns_it(client, mallory):
    client.force_login(mallory)
    response = client.post("/tenants/new/", {"name": "Initech & Söhne"})
    assert response["Location"] == "/t/initech-sohne/settings/connection/"
    response = client.post("/tenants/new/", {"name": "Initech & Söhne"})
    assert response["Location"] == "/t/initech-sohne-2/settings/connection/"
