"""The public page where people ask for their own erasure: given out, revoked, opened by whoever has its address."""

from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.deletion_requests.models import DeletionRequest, Intake, IntakeLink
from portal.deletion_requests.selectors import desk_settings
from portal.deletion_requests.services.intake import AlreadyOpen, NewRequest, receive
from portal.deletion_requests.services.request_audit import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants

A_DAY = timedelta(days=1)
MAX_A_DAY = 200
"""Requests by the link of one tenant: nobody floods the people who have to check them (guarantee S9)."""


class TooManyRequests(Exception):
    """The page takes no more today. Nothing was kept."""


def make_link(*, member: Membership) -> IntakeLink:
    """Return the tenant's link; there is one at a time."""
    _check(member)
    alive = IntakeLink.objects.alive()
    try:
        with transaction.atomic():
            if found := alive.first():
                return found
            link = IntakeLink.objects.create(made_by=member.user, made_by_name=str(member.user)[:120])
            _note("make", "Created the public page for deletion requests.", member)
            return link
    except IntegrityError:  # two people at the same moment get the same link
        return alive.get()


@transaction.atomic
def revoke_link(*, member: Membership) -> bool:
    """Make the public page lead nowhere; True when there was one."""
    _check(member)
    was_alive = bool(IntakeLink.objects.alive().update(revoked_at=timezone.now()))
    if was_alive:
        _note("revoke", "Revoked the public page for deletion requests.", member)
    return was_alive


def open_link(token: str) -> IntakeLink | None:
    """Return the link behind a token, with its tenant; None when it leads nowhere (anymore)."""
    with all_tenants("the token is all that says whose page this is"):
        return IntakeLink.objects.alive().behind(token).select_related("tenant").filter(tenant__closed_at=None).first()


def receive_by_link(email: str) -> None:
    """Take in what somebody asked for on the public page; identity not checked. Raises TooManyRequests.

    Says nothing of what it found: whoever asks must not learn whether the address is known here.
    """
    recent = DeletionRequest.objects.filter(intake=Intake.LINK, requested_at__gt=timezone.now() - A_DAY)
    if recent.count() >= MAX_A_DAY:
        raise TooManyRequests
    usual = desk_settings()
    new = NewRequest(
        email=email,
        received_on=timezone.localdate(),
        regulation=usual.regulation,
        own_days=usual.own_days,
        intake=Intake.LINK,
    )
    try:
        with transaction.atomic():
            receive(new, member=None)
    except AlreadyOpen:
        return


def _note(verb: str, summary: str, member: Membership) -> None:
    record(f"deletion_request.link.{verb}", target=("deletion_desk", "link"), summary=summary, actor=member.user)
    touch_areas(AREA)


def _check(member: Membership) -> None:
    if not member.may(Role.ADMIN):
        raise PermissionDenied
