"""Files of intakes that nobody waits for any more: the person never decided, or a process died before it could remove them."""

from django.db import transaction
from django.utils import timezone

from portal.audit.models import Source
from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Intake, IntakeState
from portal.questionnaires.services.intake import delete_leftover_file
from portal.questionnaires.services.intake_outcomes import INTAKE
from portal.tenants.scope import all_tenants

MAX_SWEPT = 500
NOT_SENT = "No one decided within a day, so the file is no longer kept. You can submit it again; what you typed is kept."
REFUSED = "The platform did not accept it, and the file is no longer kept. You can submit it again; what you typed is kept."


def tenants_with_old_files() -> list[int]:
    now = timezone.now()
    with all_tenants("the sweep finds the old files of every tenant"):
        rows = Intake.objects.forgotten(now) | Intake.objects.with_leftover_file()
        return list(rows.order_by().values_list("tenant_id", flat=True).distinct()[:MAX_SWEPT])


def remove_old_files() -> None:
    for intake in Intake.objects.forgotten(timezone.now())[:MAX_SWEPT]:
        _end_waiting(intake)
    for intake in Intake.objects.with_leftover_file()[:MAX_SWEPT]:
        delete_leftover_file(intake)


@transaction.atomic
def _end_waiting(intake: Intake) -> None:
    """Keep what was typed of an intake that nobody decided on; its file is left over from now on."""
    rows = Intake.objects.filter(pk=intake.pk, state=IntakeState.ASKING)
    # One that is a repeat was decided on, sent and refused, and then waited for another word.
    description = REFUSED if intake.is_repeat else NOT_SENT
    if not rows.update(state=IntakeState.ABSENT, settled_at=timezone.now(), description=description):
        return
    why = "the platform did not accept it" if intake.is_repeat else "no one decided within a day"
    summary = f"{intake.name[:150]} was not created: {why}."
    record(
        "questionnaire.intake_absent", target=(INTAKE, str(intake.pk)), summary=summary, details=intake.what, source=Source.SYNC
    )
    touch_areas("questionnaires")
