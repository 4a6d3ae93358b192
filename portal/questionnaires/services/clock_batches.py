"""All clocks of a tenant, batch by batch, after its targets, hours or holidays have changed.

How far it is stands in the row of the settings, held during a batch: a crash loses nothing, and a change in the middle
begins anew.
"""

import time

from django.db import transaction

from portal.lib.enqueue import enqueue_on_commit
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import ClockSettings, Questionnaire
from portal.questionnaires.services.clocks import Rules, recalculate_clocks_for
from portal.questionnaires.services.targets import RECALCULATE
from portal.tenants.scope import all_tenants, current_tenant_id

BATCH = 200
MAX_SWEPT = 100


def recalculate_all_clocks(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> None:
    """Bring the clocks of the tenant in scope as far as one turn gets."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not _recalculate_batch():
            return
    enqueue_on_commit(RECALCULATE, current_tenant_id())


def tenants_with_stale_clocks() -> list[int]:
    """Return the tenants whose clocks are stale, the longest waiting first."""
    with all_tenants("the sweep finds the clocks of every tenant"):
        stale = ClockSettings.objects.exclude(stale_since=None).order_by("stale_since")
        return list(stale.values_list("tenant_id", flat=True)[:MAX_SWEPT])


@transaction.atomic
def _recalculate_batch() -> bool:
    """Recalculate the next clocks; False when none is left."""
    settings = ClockSettings.objects.select_for_update().exclude(stale_since=None).first()
    if settings is None:
        return False
    rows = Questionnaire.objects.present().open().filter(pk__gt=settings.after_id).order_by("pk")
    pks = list(rows.values_list("pk", flat=True)[:BATCH])
    if pks:
        settings.after_id = pks[-1]
    else:
        settings.stale_since = None
    settings.save(update_fields=["after_id", "stale_since"])
    if (pks and recalculate_clocks_for(pks, rules=Rules.read())) or not pks:
        touch_areas("questionnaires")
    return bool(pks)
