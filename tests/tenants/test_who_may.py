import pytest

from portal.tenants.models import Membership, Role
from portal.tenants.scope import NoTenantScope, all_tenants, tenant_scope
from portal.users.models import User
from tests.support.members import add_member


@pytest.fixture
def everybody(acme, globex):
    """A member of every role in both tenants, and one of each who cannot sign in any more."""
    for tenant in (acme, globex):
        for role in Role:
            for is_active in (True, False):
                email = f"{role.name}-{'here' if is_active else 'gone'}@{tenant.slug}.test".lower()
                user = User.objects.create(email=email, is_active=is_active)
                add_member(tenant=tenant, user=user, role=role)


def emails(members):
    return {email for email in members.values_list("user__email", flat=True) if email.endswith(".test")}


@pytest.mark.parametrize("needed", Role)
def test_those_may_whose_role_reaches_the_one_that_is_needed(everybody, acme, needed):
    with tenant_scope(acme.pk):
        found = emails(Membership.objects.who_may(needed))
    assert found == {f"{role.name.lower()}-here@acme.test" for role in Role if role >= needed}


def test_whoever_can_sign_in_is_active_whatever_their_role(everybody, globex):
    with tenant_scope(globex.pk):
        found = emails(Membership.objects.active())
    assert found == {f"{role.name.lower()}-here@globex.test" for role in Role}


def test_who_may_something_is_asked_in_one_tenant_only(everybody):
    with all_tenants("this test"), pytest.raises(NoTenantScope):
        Membership.objects.who_may(Role.VIEWER)
    with pytest.raises(NoTenantScope):
        Membership.objects.who_may(Role.VIEWER)
