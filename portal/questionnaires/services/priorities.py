"""How urgent a tenant finds a questionnaire: its own word, of which the platform knows nothing."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Priority, Questionnaire
from portal.questionnaires.services.clocks import recalculate_clocks
from portal.tenants.models import Membership, Role


@transaction.atomic
def set_priority(questionnaire: Questionnaire, *, member: Membership, priority: Priority) -> Questionnaire:
    """Give a questionnaire another priority; its target follows at once."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    locked = Questionnaire.objects.select_for_update().get(pk=questionnaire.pk)
    before = locked.priority
    if before != priority:
        locked.priority, locked.touched_at = priority, timezone.now()
        locked.save(update_fields=["priority", "touched_at"])
        recalculate_clocks([locked])
        words = {"before": Priority(before).label, "after": priority.label}
        target = ("questionnaire", locked.platform_id)
        summary = f"Set the priority of {str(locked)[:200]} to {priority.label.lower()}."
        record("questionnaire.priority", target=target, summary=summary, actor=member.user, details=words)
        touch_areas("questionnaires")
    return locked
