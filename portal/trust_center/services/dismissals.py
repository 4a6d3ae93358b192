"""Saying that content is right although it looks wrong, and taking that back. Kept here; the platform hears nothing of it."""

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership
from portal.trust_center.errors import ChangedMeanwhile
from portal.trust_center.kinds import AREA
from portal.trust_center.models import ContentCheck
from portal.trust_center.services.writes import check

OF_NOBODY = {"dismissed_sign": "", "reason": "", "dismissed_by": None, "dismissed_by_name": "", "dismissed_at": None}


@transaction.atomic
def dismiss(found: ContentCheck, reason: str, *, seen: str, member: Membership) -> None:
    """Dismiss what a person has before them (`ContentCheck.sign`); what is dismissed already stays as it is.

    Raises PermissionDenied, or ChangedMeanwhile when another thing was found since.
    """
    check(member)
    row = ContentCheck.objects.select_for_update().filter(pk=found.pk).first()
    if row is None or row.sign != seen:
        raise ChangedMeanwhile
    if not row.is_open:
        return
    row.is_open = False
    row.dismissed_sign, row.reason = row.sign, reason
    row.dismissed_by, row.dismissed_by_name = member.user, str(member.user)[:120]
    row.dismissed_at = timezone.now()
    row.save(update_fields=["is_open", *OF_NOBODY])
    _note(row, "dismiss", f"Dismissed “{row.label.lower()}” of “{str(row)[:120]}”: {reason[:100]}", member)


@transaction.atomic
def bring_back(found: ContentCheck, *, member: Membership) -> None:
    """Take it back that something was dismissed. Raises PermissionDenied."""
    check(member)
    row = ContentCheck.objects.select_for_update().filter(pk=found.pk, is_open=False).first()
    if row is None:
        return
    row.is_open = True
    for name, value in OF_NOBODY.items():
        setattr(row, name, value)
    row.save(update_fields=["is_open", *OF_NOBODY])
    _note(row, "bring_back", f"Brought back “{row.label.lower()}” of “{str(row)[:120]}”.", member)


def _note(row: ContentCheck, verb: str, summary: str, member: Membership) -> None:
    record(f"content_check.{verb}", target=(row.subject, row.platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)
