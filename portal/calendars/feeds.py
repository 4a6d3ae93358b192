"""Calendars that other programs subscribe to: the address of a member, made, made anew, revoked, opened by whoever has it.

A desk that hands out dates has a model of its own for it (`calendars.models.Feed`); what stands in the calendar is its own too.
"""

import uuid
from typing import cast

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.calendars.models import Feed
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants, tenant_scope


@transaction.atomic
def renew_feed[F: Feed](kind: type[F], member: Membership) -> F:
    """Give a member a new address; the one before it leads nowhere from now on."""
    _check(member)
    values = {"public_id": uuid.uuid4(), "made_at": timezone.now()}
    feed, is_new = kind.objects.update_or_create(membership=member, defaults=values)
    _note(kind, "make" if is_new else "renew", f"{'Created' if is_new else 'Renewed'} their calendar link.", member)
    return feed


@transaction.atomic
def revoke_feed(kind: type[Feed], member: Membership) -> bool:
    """Make the address of a member's feed lead nowhere; True when there was one."""
    _check(member)
    number, _ = kind.objects.filter(membership=member).delete()
    if number:
        _note(kind, "revoke", "Revoked their calendar link.", member)
    return bool(number)


def open_feed[F: Feed](kind: type[F], token: str) -> F | None:
    """Return the feed behind a token, with its tenant and member; None when it leads nowhere (any more)."""
    with all_tenants("the token is all that says whose dates these are"):
        feeds = kind.objects.behind(token).select_related("tenant", "membership__user")
        # The manager is that of the abstract model, which says nothing of its kind.
        feeds = feeds.filter(membership__role__gte=Role.ANALYST, membership__user__is_active=True, tenant__closed_at=None)
        return cast(F | None, feeds.first())


def end_feed(kind: type[Feed], membership: Membership) -> None:
    """A membership has ended, and so does its feed."""
    with tenant_scope(membership.tenant_id):
        kind.objects.filter(membership_id=membership.pk).delete()


def _check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied


def _note(kind: type[Feed], verb: str, summary: str, member: Membership) -> None:
    record(f"{kind.action}.{verb}", target=(kind.action, str(member.pk)), summary=summary, actor=member.user)
