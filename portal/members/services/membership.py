"""Members, their roles, and how they leave."""

from django.db import transaction

from portal.audit.services import record
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from portal.users.models import User


class LastOwner(Exception):
    """A tenant keeps at least one owner: nobody else could connect or disconnect it."""


class RoleTooHigh(Exception):
    """Nobody gives, changes or takes a role above the own one."""


@transaction.atomic
def start_tenant(name: str, *, owner: User) -> Tenant:
    """Create a tenant; whoever does is its first owner."""
    tenant = create_tenant(name, owner=owner)
    with tenant_scope(tenant.pk):
        record("tenant.create", target=("tenant", str(tenant.pk)), summary=f"Created the tenant {tenant}.", actor=owner)
    return tenant


@transaction.atomic
def change_role(membership: Membership, *, role: Role, by: Membership) -> None:
    """Give a member another role."""
    _check_power(membership, by=by)
    if not by.may(role):
        raise RoleTooHigh(role.label)
    if role != Role.OWNER:
        _check_other_owner(membership)
    membership.role = role
    membership.save(update_fields=["role"])
    note("change_role", membership.user.email, f"{membership.user} is now {role.label.lower()}.", by.user)


@transaction.atomic
def remove_member(membership: Membership, *, by: Membership) -> None:
    """End a membership; rights are read with each request, so it ends with the next one."""
    _check_power(membership, by=by)
    _check_other_owner(membership)
    membership.delete()
    note("remove", membership.user.email, f"{membership.user} is no longer a member.", by.user)


def note(verb: str, email: str, summary: str, actor: User) -> None:
    """Write down what has become of a member or an invitation."""
    record(f"member.{verb}", target=("member", email[:100]), summary=summary, actor=actor)


def _check_power(membership: Membership, *, by: Membership) -> None:
    if not by.may(Role(membership.role)):
        raise RoleTooHigh(Role(membership.role).label)


def _check_other_owner(membership: Membership) -> None:
    if membership.role != Role.OWNER:
        return
    # The tenant's row is the lock: two owners who leave at the same moment must not both find the other one.
    Tenant.objects.select_for_update().get(pk=membership.tenant_id)
    others = Membership.objects.filter(tenant=membership.tenant, role=Role.OWNER).exclude(pk=membership.pk)
    if not others.exists():
        raise LastOwner(membership.tenant.name)
