"""How a tenant wants its questionnaires worked on."""

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import DeskRules
from portal.tenants.models import Membership, Role


@transaction.atomic
def set_four_eyes(is_on: bool, *, member: Membership) -> bool:
    """Switch the rule on or off; False when it was so already."""
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    if DeskRules.objects.filter(four_eyes=True).exists() == is_on:
        return False
    DeskRules.objects.update_or_create(defaults={"four_eyes": is_on})
    summary = f"Switched four eyes {'on' if is_on else 'off'} for questionnaires."
    details = {"before": {"four_eyes": not is_on}, "after": {"four_eyes": is_on}}
    record("questionnaire.rules", target=("desk_rules", "four_eyes"), summary=summary, actor=member.user, details=details)
    touch_areas("questionnaires")
    return True
