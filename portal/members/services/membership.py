"""Members, their roles, and how they leave."""

from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.members.models import FormerMember, Invitation
from portal.members.signals import admin_lost
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import person_scope, tenant_scope
from portal.tenants.services import create_tenant
from portal.users.models import User

MAX_TENANTS_PER_DAY = 50
"""As many as an operator brings along on the first day; fewer than would fill the portal with names."""


class WasRemoved(Exception):
    """Somebody who has left, or whom an admin has removed, comes back by invitation only."""


class LastOwner(Exception):
    """A tenant keeps at least one owner: nobody else could connect or disconnect it."""


class TooManyTenants(Exception):
    """The person has created as many tenants today as one may."""


class RoleTooHigh(Exception):
    """Nobody gives, changes or takes a role above the own one."""


@transaction.atomic
def start_tenant(name: str, *, owner: User) -> Tenant:
    """Create a tenant; whoever does is its first owner."""
    # The person's row is the lock: the last one of a day is not created twice at the same moment.
    User.objects.select_for_update().get(pk=owner.pk)
    since = timezone.now() - timedelta(days=1)
    if Tenant.objects.filter(created_by=owner, created_at__gt=since).count() >= MAX_TENANTS_PER_DAY:
        raise TooManyTenants(owner.email)
    tenant = create_tenant(name, owner=owner)
    with tenant_scope(tenant.pk):
        record("tenant.create", target=("tenant", str(tenant.pk)), summary=f"Created the tenant {tenant}.", actor=owner)
    return tenant


def has_namesake(tenant: Tenant, *, owner: User) -> bool:
    """Say whether a person is in another tenant of the same name, which companies may share."""
    with person_scope(owner.pk):
        return Membership.objects.filter(tenant__name__iexact=tenant.name).exclude(tenant=tenant).exists()


@transaction.atomic
def admit(tenant: Tenant, user: User, *, role: Role) -> Membership | None:
    """Make somebody a member of the tenant in scope whose company's sign-in vouches for them; None where they are one already.

    An invitation that waits for them decides the role and is used up. Raises WasRemoved.
    """
    if Membership.objects.filter(tenant=tenant, user=user).exists():
        return None
    invitation = Invitation.objects.select_for_update().filter(email=user.email, expires_at__gt=timezone.now()).first()
    if invitation:
        role = Role(invitation.role)
        invitation.delete()
        FormerMember.objects.filter(user=user).delete()
    elif FormerMember.objects.filter(user=user).exists():
        raise WasRemoved(user.email)
    membership, is_new = Membership.objects.get_or_create(tenant=tenant, user=user, defaults={"role": role})
    if is_new:
        how = "accepted the invitation with" if invitation else "joined with"
        note("join", user.email, f"{user.email} {how} company sign-in as {role.label.lower()}.", user)
    return membership if is_new else None


@transaction.atomic
def change_role(membership: Membership, *, role: Role, by: Membership) -> None:
    """Give a member another role."""
    lock_roles(membership, by)
    check_power(max(membership.role, role), by)
    if role != Role.OWNER:
        _check_other_owner(membership)
    before, membership.role = Role(membership.role), role
    membership.save(update_fields=["role"])
    _withdraw_invitations(membership, above=role, by=by.user)
    text = f"{membership.user} is now {role.label.lower()}."
    note("change_role", membership.user.email, text, by.user, before=before, after=role)
    _tell_if_lost(membership, before, role)


@transaction.atomic
def remove_member(membership: Membership, *, by: Membership) -> None:
    """End a membership; rights are read with each request, so it ends with the next one."""
    lock_roles(membership, by)
    check_power(membership.role, by)
    _check_other_owner(membership)
    _withdraw_invitations(membership, by=by.user)
    FormerMember.objects.get_or_create(user=membership.user)
    membership.delete()
    text = f"{membership.user} is no longer a member."
    note("remove", membership.user.email, text, by.user, before=Role(membership.role))
    _tell_if_lost(membership, Role(membership.role))


@transaction.atomic
def leave(membership: Membership) -> None:
    """End one's own membership, whatever the role. The last owner stays.

    Whoever has left is asked before they become a member again: the company's sign-in alone does not make them one.
    """
    lock_roles(membership)
    _check_other_owner(membership)
    _withdraw_invitations(membership, by=membership.user)
    FormerMember.objects.get_or_create(user=membership.user)
    membership.delete()
    note("leave", membership.user.email, f"{membership.user} left.", membership.user, before=Role(membership.role))
    _tell_if_lost(membership, Role(membership.role))


def note(verb: str, email: str, summary: str, actor: User, *, before: Role | None = None, after: Role | None = None) -> None:
    """Write down what has become of a member or an invitation, and of the role."""
    roles = {"before": {"role": before.label if before else None}, "after": {"role": after.label if after else None}}
    details = roles if before != after else {}
    record(f"member.{verb}", target=("member", email[:100]), summary=summary, actor=actor, details=details)


def _tell_if_lost(membership: Membership, before: Role, after: Role | None = None) -> None:
    if before >= Role.ADMIN and (after is None or after < Role.ADMIN):
        admin_lost.send(Membership, user=membership.user)


def _withdraw_invitations(membership: Membership, *, above: Role | None = None, by: User) -> None:
    """End what somebody has offered and may no longer give: all of it, or the roles above the one that they keep."""
    offered = Invitation.objects.filter(invited_by=membership.user)
    for invitation in offered if above is None else offered.filter(role__gt=above):
        invitation.delete()
        text = f"Withdrew the invitation to {invitation.email}, which {membership.user} had sent."
        note("withdraw", invitation.email, text, by)


def lock_roles(*memberships: Membership) -> None:
    """Read roles anew under the lock of the tenant: somebody may have changed them since the request began.

    Two owners who leave at the same moment must not both find the other one either. Raises PermissionDenied where one of them
    is no member any more.
    """
    Tenant.objects.select_for_update().get(pk=memberships[0].tenant_id)
    for membership in memberships:
        try:
            membership.refresh_from_db(fields=["role"])
        except Membership.DoesNotExist as error:
            raise PermissionDenied from error


def check_power(role: int, by: Membership) -> None:
    """Refuse whoever may not give, change or take a role: PermissionDenied below admin, RoleTooHigh above the own one."""
    if not by.may(Role.ADMIN):
        raise PermissionDenied
    if not by.may(Role(role)):
        raise RoleTooHigh(Role(role).label)


def _check_other_owner(membership: Membership) -> None:
    if membership.role != Role.OWNER:
        return
    others = Membership.objects.filter(tenant=membership.tenant, role=Role.OWNER).exclude(pk=membership.pk)
    if not others.exists():
        raise LastOwner(membership.tenant.name)
