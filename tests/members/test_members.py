from functools import partial

import pytest
from django.core.exceptions import PermissionDenied

from portal.audit.models import Entry
from portal.members.models import Invitation
from portal.members.services import RoleTooHigh, accept, change_role, digest_of, invite, remove_member, resend, withdraw
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import tenant_scope
from tests.support.audit import recorded
from tests.support.members import find_member, role_of

PAGE = "/t/acme/settings/members/"


@pytest.fixture
def signed_in(client, alice, acme):
    client.force_login(alice)
    return client


def test_it_shows_who_is_here(signed_in, bob):
    page = signed_in.get(PAGE).content
    assert b"alice@acme.example" in page
    assert b"viewer@acme.example" in page


def test_nobody_gives_a_role_above_the_own_one(client, member, acme):
    client.force_login(member(Role.ADMIN))
    assert client.post(PAGE + "invite/", {"email": "x@acme.example", "role": Role.OWNER}).status_code == 422


def test_the_last_owner_stays(signed_in, alice, acme):
    membership = find_member(user=alice)
    signed_in.post(f"{PAGE}{membership.pk}/remove/")
    signed_in.post(f"{PAGE}{membership.pk}/role/", {"role": Role.VIEWER})
    assert role_of(acme, alice.email) == Role.OWNER


def test_an_admin_cannot_remove_an_owner(client, alice, member, acme):
    client.force_login(member(Role.ADMIN))
    client.post(f"{PAGE}{find_member(user=alice).pk}/remove/")
    assert role_of(acme, alice.email) == Role.OWNER


def test_s7_a_removed_member_sees_nothing_from_the_next_request_on(signed_in, bob, acme):
    membership = find_member(user=bob)
    signed_in.post(f"{PAGE}{membership.pk}/remove/")
    signed_in.force_login(bob)
    assert signed_in.get(PAGE).status_code == 404


def test_a_member_of_another_tenant_cannot_be_changed(signed_in, mallory, globex):
    membership = find_member(user=mallory)
    assert signed_in.post(f"{PAGE}{membership.pk}/remove/").status_code == 404
    assert role_of(globex, mallory.email) == Role.OWNER


def test_a_new_person_creates_a_tenant_and_owns_it(client, mallory):
    client.force_login(mallory)
    response = client.post("/tenants/new/", {"name": "Initech & Söhne"})
    assert response["Location"] == "/t/initech-sohne/first-hour/connect/"
    response = client.post("/tenants/new/", {"name": "Initech & Söhne"})
    assert response["Location"] == "/t/initech-sohne-2/first-hour/connect/"


def test_the_name_of_a_tenant_is_one_line(client, mallory):
    client.force_login(mallory)
    client.post("/tenants/new/", {"name": "Initech\r\nBcc:  everybody"})
    assert Tenant.objects.get(slug="initech-bcc-everybody").name == "Initech Bcc: everybody"


def test_r8_each_change_of_who_is_here_leaves_its_row(signed_in, acme, bob, mallory, scoped):
    person = find_member(user=bob)
    with recorded("member.invite", "member.withdraw", "member.change_role", "member.remove", by="Alice Ames"):
        signed_in.post(PAGE + "invite/", {"email": "new@acme.example", "role": Role.ANALYST})
        signed_in.post(f"{PAGE}invitations/{Invitation.objects.get().pk}/withdraw/")
        signed_in.post(f"{PAGE}{person.pk}/role/", {"role": Role.ANALYST})
        signed_in.post(f"{PAGE}{person.pk}/remove/")
    _, token = invite(acme, email=mallory.email, role=Role.ANALYST, by=find_member(user__email="alice@acme.example"))
    with recorded("member.accept", by="Mallory Moss"):
        accept(digest_of(token), user=mallory)


def test_r8_a_tenant_that_begins_leaves_its_row(client, mallory):
    client.force_login(mallory)
    client.post("/tenants/new/", {"name": "Initech"})
    with tenant_scope(Tenant.objects.get(name="Initech").pk):
        assert [entry.action for entry in Entry.objects.all()] == ["tenant.create"]


def test_s7_roles_that_were_changed_since_a_request_began_count(scoped, alice, member):
    admin, other = find_member(user=member(Role.ADMIN)), find_member(user=member(Role.ANALYST))
    stale_admin, stale_other = (Membership.objects.get(pk=each.pk) for each in (admin, other))
    change_role(other, role=Role.OWNER, by=find_member(user=alice))
    for act in (partial(change_role, role=Role.VIEWER), remove_member):
        with pytest.raises(RoleTooHigh):
            act(stale_other, by=stale_admin)
        stale_other.role = Role.ANALYST
    change_role(other, role=Role.ANALYST, by=find_member(user=alice))
    viewer = find_member(user=member(Role.VIEWER))
    invitation, _ = invite(scoped, email="new@acme.example", role=Role.VIEWER, by=find_member(user=alice))
    acts = [
        partial(remove_member, stale_other),
        partial(remove_member, viewer),
        partial(change_role, viewer, role=Role.VIEWER),
        partial(invite, scoped, email="another@acme.example", role=Role.VIEWER),
        partial(resend, invitation),
        partial(withdraw, invitation),
    ]
    change_role(admin, role=Role.VIEWER, by=find_member(user=alice))
    for act in acts:
        stale_admin.role = Role.ADMIN
        with pytest.raises(PermissionDenied):
            act(by=stale_admin)
    remove_member(admin, by=find_member(user=alice))
    for act in acts:
        stale_admin.role = Role.ADMIN
        with pytest.raises(PermissionDenied):
            act(by=stale_admin)
    assert Invitation.objects.get() == invitation
