"""Members as a test arranges them and looks for them: over all tenants, whatever the scope."""

from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants
from portal.users.models import User


def find_member(**wanted: object) -> Membership:
    """Return the one membership with these values, with its user and tenant."""
    with all_tenants("a test names whom it means"):
        return Membership.objects.select_related("user", "tenant").get(**wanted)


def add_member(**values: object) -> Membership:
    with all_tenants("a test names the tenant"):
        return Membership.objects.create(**values)


def add_second_tenant(user: User) -> Tenant:
    """Let somebody read another tenant too: the portfolio is only for those who work for several."""
    tenant = Tenant.objects.create(name="Second Company", slug="second-company")
    add_member(tenant=tenant, user=user, role=Role.VIEWER)
    return tenant


def is_member(**wanted: object) -> bool:
    """Say whether there is any membership with these values."""
    with all_tenants("a test names whom it means"):
        return Membership.objects.filter(**wanted).exists()


def set_role(new: Role, /, **wanted: object) -> None:
    """Give a role to everybody with these values, past all rules."""
    with all_tenants("a test names whom it means"):
        Membership.objects.filter(**wanted).update(role=new)


def remove_members(**wanted: object) -> None:
    """Remove everybody with these values, past all rules."""
    with all_tenants("a test names whom it means"):
        Membership.objects.filter(**wanted).delete()


def role_of(tenant: Tenant, email: str) -> int | None:
    """Return the role of whoever has this address in a tenant; None for somebody who is no member."""
    with all_tenants("a test names whom it means"):
        return Membership.objects.filter(tenant=tenant, user__email=email).values_list("role", flat=True).first()


def strongest_member(tenant_id: int) -> Membership:
    """Return the member of a tenant with the highest role."""
    with all_tenants("a test names the tenant"):
        return Membership.objects.select_related("user", "tenant").filter(tenant=tenant_id).order_by("-role")[0]
