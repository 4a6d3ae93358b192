"""Files of intakes that nobody waits for any more: the person never decided, or a process died before it could remove them."""

from django.db import transaction
from django.utils import timezone

from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Intake
from portal.questionnaires.services.intake import delete_leftover_file, forget
from portal.tenants.scope import all_tenants

MAX_SWEPT = 500


def tenants_with_old_files() -> list[int]:
    now = timezone.now()
    with all_tenants("the sweep finds the old files of every tenant"):
        rows = Intake.objects.forgotten(now) | Intake.objects.with_leftover_file()
        return list(rows.order_by().values_list("tenant_id", flat=True).distinct()[:MAX_SWEPT])


def remove_old_files() -> None:
    for intake in Intake.objects.forgotten(timezone.now())[:MAX_SWEPT]:
        with transaction.atomic():
            forget(intake)
            touch_areas("questionnaires")
    for intake in Intake.objects.with_leftover_file()[:MAX_SWEPT]:
        delete_leftover_file(intake)
