"""The calendar feed of a member: made, made anew, revoked, opened by whoever has its address."""

import uuid

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.questionnaires.models import CalendarFeed
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants


@transaction.atomic
def renew_feed(member: Membership) -> CalendarFeed:
    """Give a member a new address; the one before it leads nowhere from now on."""
    _check(member)
    values = {"public_id": uuid.uuid4(), "made_at": timezone.now()}
    feed, is_new = CalendarFeed.objects.update_or_create(membership=member, defaults=values)
    _note("make" if is_new else "renew", f"{'Made' if is_new else 'Renewed'} the own calendar feed.", member)
    return feed


@transaction.atomic
def revoke_feed(member: Membership) -> bool:
    """Make the address of a member's feed lead nowhere; True when there was one."""
    _check(member)
    number, _ = CalendarFeed.objects.filter(membership=member).delete()
    if number:
        _note("revoke", "Revoked the own calendar feed.", member)
    return bool(number)


def open_feed(token: str) -> CalendarFeed | None:
    """Return the feed behind a token, with its tenant and member; None when it leads nowhere (any more)."""
    with all_tenants("the token is all that says whose dates these are"):
        feeds = CalendarFeed.objects.behind(token).select_related("tenant", "membership__user")
        return feeds.filter(membership__user__is_active=True, tenant__closed_at=None).first()


def _check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied


def _note(verb: str, summary: str, member: Membership) -> None:
    record(f"calendar_feed.{verb}", target=("calendar_feed", str(member.pk)), summary=summary, actor=member.user)
