"""S19: anybody can leave, and nobody fills the portal with tenants."""

import pytest

from portal.audit.models import Entry
from portal.members.models import Invitation
from portal.members.services.membership import MAX_TENANTS_PER_DAY, WasRemoved, admit
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from tests.support.members import is_member

pytestmark = pytest.mark.django_db
MINE = "private@elsewhere.example"


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.ADMIN])
def test_s19_a_member_of_any_role_leaves(client, acme, member, role):
    user = member(role)
    client.force_login(user)
    assert 'data-open-dialog="leave"' in client.get("/t/acme/settings/members/").content.decode()
    assert client.post("/t/acme/settings/members/leave/")["Location"] == "/"
    assert client.get("/t/acme/").status_code == 404
    with tenant_scope(acme.pk):
        assert Entry.objects.filter(action="member.leave", actor=user).count() == 1


def test_s19_who_does_not_meet_what_the_tenant_requires_leaves_too(client, acme, bob):
    acme.requires_second_factor = True
    acme.save()
    client.force_login(bob)
    assert 'action="/t/acme/settings/members/leave/"' in client.get("/t/acme/").content.decode()
    assert client.post("/t/acme/settings/members/leave/")["Location"] == "/"
    assert not is_member(user=bob)


def test_s19_who_has_left_is_no_member_again_unasked(client, acme, bob):
    client.force_login(bob)
    client.post("/t/acme/settings/members/leave/")
    with tenant_scope(acme.pk), pytest.raises(WasRemoved):
        admit(acme, bob, role=Role.VIEWER)
    assert not is_member(user=bob)


def test_s13_what_somebody_has_offered_ends_when_they_leave(client, acme, member):
    client.force_login(member(Role.OWNER))
    client.post("/t/acme/settings/members/invite/", {"email": MINE, "role": Role.OWNER})
    with tenant_scope(acme.pk):
        assert Invitation.objects.get().email == MINE
    client.post("/t/acme/settings/members/leave/")
    with tenant_scope(acme.pk):
        assert not Invitation.objects.exists()
        assert Entry.objects.filter(action="member.withdraw", target_id=MINE).count() == 1


def test_s19_the_last_owner_cannot_leave_and_is_told_why(client, acme, alice):
    client.force_login(alice)
    answer = client.post("/t/acme/settings/members/leave/", follow=True)
    assert "at least one owner" in answer.content.decode()
    assert is_member(user=alice, tenant=acme)


def test_s19_one_person_creates_so_many_tenants_a_day(client, alice, mallory):
    client.force_login(alice)
    for _ in range(MAX_TENANTS_PER_DAY):
        assert client.post("/tenants/new/", {"name": "The same name"}).status_code == 302
    answer = client.post("/tenants/new/", {"name": "One more"})
    assert (answer.status_code, "limit for new tenants" in answer.content.decode()) == (422, True)
    assert Tenant.objects.count() == MAX_TENANTS_PER_DAY
    client.force_login(mallory)
    assert client.post("/tenants/new/", {"name": "The same name"}).status_code == 302


def test_s19_tenants_of_one_name_are_told_apart_and_who_creates_one_is_told(client, alice, acme, globex, mallory):
    client.force_login(alice)
    told = client.post("/tenants/new/", {"name": acme.name.upper()}, follow=True).content.decode()
    other = Tenant.objects.filter(created_by=alice).latest("pk")
    assert f"You have another tenant called {other.name}. This one&#x27;s address ends in {other.slug}." in told
    page = client.get("/portfolio/").content.decode()
    for tenant in (acme, other):
        # In the navigation, among the filters and in the list of all.
        assert page.count(f"{tenant.name} ({tenant.slug})") >= 3
    assert "another tenant" not in client.post("/tenants/new/", {"name": globex.name}, follow=True).content.decode()
    page = client.get("/portfolio/").content.decode()
    assert f"{globex.name} (" not in page, "what others have is nobody's namesake"
