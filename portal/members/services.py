from collections.abc import Iterable

from django.db import transaction

from portal.audit.services import record
from portal.members.models import Invitation
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User


class LastOwner(Exception):
    """A tenant keeps at least one owner: nobody else could connect or disconnect it."""


class RoleTooHigh(Exception):
    """Nobody gives, changes or takes a role above the own one."""


@transaction.atomic
def invite(tenant: Tenant, *, email: str, role: Role, by: Membership) -> Membership | Invitation:
    """Give an address a role: at once when somebody with it is here already, else when that person first signs in."""
    if not by.may(role):
        raise RoleTooHigh(role.label)
    email = email.strip().lower()
    user = User.objects.filter(email=email).first()
    _record("invite", email, f"Invited {email} as {role.label.lower()}.", by)
    if user is not None:
        membership, _ = Membership.objects.get_or_create(tenant=tenant, user=user, defaults={"role": role})
        return membership
    invitation, _ = Invitation.objects.update_or_create(email=email, defaults={"role": role, "invited_by": by.user})
    return invitation


@transaction.atomic
def accept_invitations(user: User, *, emails: Iterable[str]) -> list[Membership]:
    """Turn the invitations of a person's verified addresses into memberships."""
    with all_tenants("invitations are found by address, before there is a tenant"):
        invitations = list(Invitation.objects.filter(email__in=[email.lower() for email in emails]))
    memberships = []
    for invitation in invitations:
        with tenant_scope(invitation.tenant_id):
            membership, _ = Membership.objects.get_or_create(
                tenant_id=invitation.tenant_id, user=user, defaults={"role": invitation.role}
            )
            invitation.delete()
        memberships.append(membership)
    return memberships


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
    _record("change_role", membership.user.email, f"{membership.user} is now {role.label.lower()}.", by)


@transaction.atomic
def remove_member(membership: Membership, *, by: Membership) -> None:
    """End a membership; rights are read with each request, so it ends with the next one."""
    _check_power(membership, by=by)
    _check_other_owner(membership)
    membership.delete()
    _record("remove", membership.user.email, f"{membership.user} is no longer a member.", by)


@transaction.atomic
def withdraw(invitation: Invitation, *, by: Membership) -> None:
    """Take an invitation back that nobody has used."""
    invitation.delete()
    _record("withdraw", invitation.email, f"Withdrew the invitation of {invitation.email}.", by)


def _record(verb: str, email: str, summary: str, by: Membership) -> None:
    record(f"member.{verb}", target=("member", email[:100]), summary=summary, actor=by.user)


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
