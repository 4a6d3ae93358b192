"""Invitations: a link that works once, for a while, and only for whoever has proven the address it went to (guarantee S13)."""

import secrets
from datetime import timedelta
from hashlib import sha256

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.members.models import FormerMember, Invitation
from portal.members.services.membership import check_power, lock_roles, note
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User
from portal.users.proof import give_to_prover

LIFETIME = timedelta(days=7)
RESEND_PAUSE = timedelta(minutes=1)
"""Nobody's mailbox is filled by pressing a button."""


class AlreadyMember(Exception):
    """The person is a member; another role is given on the list."""


class TooSoon(Exception):
    """The last email left only a moment ago."""


class NotValid(Exception):
    """No invitation can be accepted with this link: it was used, withdrawn, replaced or has expired."""


class Expired(NotValid):
    """Its time is over."""


class ForSomebodyElse(Exception):
    """The link went to an address that this person has not proven to be theirs."""


def digest_of(token: str) -> str:
    """Return what is kept of a token: who reads the database cannot use a link."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@transaction.atomic
def invite(tenant: Tenant, *, email: str, role: Role, by: Membership) -> tuple[Invitation, str]:
    """Invite an address; return the invitation and the token of its link.

    It is the same whether somebody with this address has an account or not: nobody becomes a member unasked, and the inviter
    does not learn who is registered. Raises AlreadyMember, RoleTooHigh, and TooSoon where an email has just left.
    """
    email = email.strip().lower()
    lock_roles(by)
    if Membership.objects.filter(tenant=tenant, user__email=email).exists():
        raise AlreadyMember(email)
    before = Invitation.objects.filter(email=email).first()
    check_power(max(role, before.role if before else role), by)
    if before:
        _check_pause(before)
    token = secrets.token_urlsafe(32)
    invitation, _ = Invitation.objects.update_or_create(
        email=email, defaults={"role": role, "invited_by": by.user, **_fresh_link(token)}
    )
    offered = Role(before.role) if before else None
    note("invite", email, f"Invited {email} as {role.label.lower()}.", by.user, before=offered, after=role)
    return invitation, token


@transaction.atomic
def resend(invitation: Invitation, *, by: Membership) -> str:
    """Give an invitation a new link and return its token; the link before it ends."""
    lock_roles(by)
    check_power(invitation.role, by)
    _check_pause(invitation)
    token = secrets.token_urlsafe(32)
    Invitation.objects.filter(pk=invitation.pk).update(**_fresh_link(token))
    note("resend", invitation.email, f"Resent the invitation to {invitation.email}.", by.user)
    return token


@transaction.atomic
def withdraw(invitation: Invitation, *, by: Membership) -> None:
    """Take an invitation back that nobody has used."""
    lock_roles(by)
    check_power(invitation.role, by)
    invitation.delete()
    note("withdraw", invitation.email, f"Withdrew the invitation to {invitation.email}.", by.user)


def find_invitation(digest: str) -> Invitation | None:
    """Return the open invitation behind a link, expired ones included."""
    with all_tenants("a link names its invitation before there is a tenant"):
        open_ones = Invitation.objects.select_related("tenant", "invited_by").filter(tenant__closed_at=None)
        return open_ones.filter(token_digest=digest).first()


def check_acceptable(invitation: Invitation, user: User | None) -> None:
    """Raise Expired or ForSomebodyElse unless this person may accept; whoever is not signed in may still prove the address."""
    if invitation.is_expired:
        raise Expired
    if user and not EmailAddress.objects.filter(user=user, email=invitation.email, verified=True).exists():
        raise ForSomebodyElse(invitation.email)


def is_registered(email: str) -> bool:
    """Say whether somebody has an account with an address that they have proven, or has proven another one for it."""
    if EmailAddress.objects.filter(email=email, verified=True).exists():
        return True
    return bool(EmailAddress.objects.filter(user__email=email, verified=True).exists())


@transaction.atomic
def join(digest: str, *, name: str, password: str, timezone_name: str) -> Membership:
    """Make an account for the address that the link went to, and make it a member. The link has proven the address.

    What somebody set up with this address before, without a proof, is worth nothing afterwards (guarantee S13).
    """
    found = find_invitation(digest)
    if found is None:
        raise NotValid
    with tenant_scope(found.tenant_id):
        invitation = Invitation.objects.select_for_update().filter(pk=found.pk, token_digest=digest).first()
    if invitation is None:
        raise NotValid
    if is_registered(invitation.email):
        raise NotValid  # it was proven elsewhere a moment ago; the link now asks for signing in
    user = User.objects.filter(email=invitation.email).first() or User(email=invitation.email)
    user.name, user.timezone = name, timezone_name
    user.set_password(password)
    user.save()
    give_to_prover(user)
    return accept(digest, user=user)


@transaction.atomic
def decline(digest: str, *, user: User | None) -> Invitation:
    """End an invitation at the wish of whoever has its link. The inviter sees that it is gone, and why."""
    found = find_invitation(digest)
    if found is None:
        raise NotValid
    with tenant_scope(found.tenant_id):
        if not Invitation.objects.filter(pk=found.pk, token_digest=digest).delete()[0]:
            raise NotValid
        text = f"{found.email} declined the invitation."
        record("member.decline", target=("member", found.email[:100]), summary=text, actor=user)
    return found


@transaction.atomic
def accept(digest: str, *, user: User) -> Membership:
    """Make a person a member by the link that was sent to an address they have proven. The link ends with it."""
    found = find_invitation(digest)
    if found is None:
        raise NotValid
    with tenant_scope(found.tenant_id):
        # Before the invitation, as whoever deletes a tenant does: nobody becomes a member of one that was closed meanwhile.
        if not Tenant.objects.select_for_update(no_key=True).filter(pk=found.tenant_id, closed_at=None).exists():
            raise NotValid
        # Locked: of two who use the link at the same moment one finds nothing.
        invitation = Invitation.objects.select_for_update().filter(pk=found.pk, token_digest=digest).first()
        if invitation is None:
            raise NotValid
        check_acceptable(invitation, user)
        role = Role(invitation.role)
        membership, is_new = Membership.objects.get_or_create(tenant=found.tenant, user=user, defaults={"role": role})
        FormerMember.objects.filter(user=user).delete()
        invitation.delete()
        text = f"{invitation.email} accepted the invitation as {role.label.lower()}."
        note("accept", invitation.email, text, user, after=role if is_new else None)
    return membership


def _fresh_link(token: str) -> dict[str, object]:
    now = timezone.now()
    return {"token_digest": digest_of(token), "sent_at": now, "expires_at": now + LIFETIME}


def _check_pause(invitation: Invitation) -> None:
    if invitation.sent_at > timezone.now() - RESEND_PAUSE:
        raise TooSoon(invitation.email)
