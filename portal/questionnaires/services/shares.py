"""The status link of a questionnaire: given out, revoked, opened by whoever has it."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Questionnaire, StatusLink
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants


@transaction.atomic
def share_status(questionnaire: Questionnaire, *, member: Membership) -> StatusLink:
    """Return the link of a questionnaire; there is one at a time."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    # Locked, so that two people at the same moment get the same link.
    Questionnaire.objects.select_for_update().get(pk=questionnaire.pk)
    link = StatusLink.objects.alive().filter(questionnaire=questionnaire).first()
    if link is None:
        link = StatusLink.objects.create(questionnaire=questionnaire, made_by=member.user)
        record_share("share", questionnaire, member, f"Created a status link for {questionnaire}.")
    return link


@transaction.atomic
def revoke_status(questionnaire: Questionnaire, *, member: Membership) -> bool:
    """Make the link of a questionnaire lead nowhere; True when there was one."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    was_alive = bool(StatusLink.objects.alive().filter(questionnaire=questionnaire).update(revoked_at=timezone.now()))
    if was_alive:
        record_share("revoke", questionnaire, member, f"Revoked the status link for {questionnaire}.")
    return was_alive


def record_share(verb: str, questionnaire: Questionnaire, member: Membership, summary: str) -> None:
    target = ("questionnaire", questionnaire.platform_id)
    record(f"questionnaire.status_link.{verb}", target=target, summary=summary, actor=member.user)
    touch_areas("questionnaires")


def open_link(token: str) -> StatusLink | None:
    """Return the link behind a token, with its questionnaire and tenant; None when it leads nowhere (any more)."""
    with all_tenants("the token is all that says whose questionnaire this is"):
        links = StatusLink.objects.alive().behind(token).select_related("questionnaire", "tenant")
        return links.filter(questionnaire__gone_at__isnull=True, tenant__closed_at=None).first()
