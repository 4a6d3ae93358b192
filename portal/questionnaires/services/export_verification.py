"""Looking at exports that have not ended, for the case that their event never comes."""

from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from portal.connections.services import NotConnected, Urgency, client_for
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import NotFound, PlatformError
from portal.questionnaires.models import Export, ExportState
from portal.questionnaires.services.export_outcomes import (
    EXPORTS,
    LOOK,
    MISSING,
    MISSING_AT_DOWNLOAD,
    give_up,
    lose,
    mark_uncertain,
    take,
)
from portal.questionnaires.services.exports import MAX_REQUEST
from portal.sync.services.waits import wait_after
from portal.tenants.scope import all_tenants

MAX_SWEPT = 1000
LEASE = MAX_REQUEST
"""How long a look owns its export; longer than the longest task (120 s)."""


def due_exports() -> Iterator[tuple[int, int]]:
    """Return tenant and key of the exports whose next look is due, the longest waiting first."""
    with all_tenants("the sweep looks at the exports of every tenant"):
        rows = Export.objects.due(timezone.now()).order_by("due_at", "id").values_list("tenant_id", "pk")
        return iter(list(rows[:MAX_SWEPT]))


def verify_outcome(export: Export) -> None:
    """Find out where an export stands. Failures are written into its row."""
    if not _claim(export):
        return
    if not export.platform_id:
        # There is nothing to look at: the platform has no list of exports.
        mark_uncertain(export) if export.state == ExportState.ASKING else give_up(export)
        return
    asked_at = timezone.now()
    try:
        # An event has just told of it, or else it is looked at just in case.
        client = client_for(Urgency.NEWS if export.told_at else Urgency.PERIODIC)
        fetched = client.questionnaires.exports.get(export.platform_id)
    except NotFound:
        lose(export)
    except (PlatformError, NotConnected, Locked) as error:
        _postpone(export, error)
    else:
        take(export, fetched, asked_at=asked_at)


def _claim(export: Export) -> bool:
    now = timezone.now()
    still = Export.objects.due(now).filter(pk=export.pk, attempts=export.attempts, platform_id=export.platform_id)
    if not still.update(attempts=export.attempts + 1, due_at=now + LEASE):
        return False
    export.attempts += 1
    return True


@transaction.atomic
def _postpone(export: Export, error: Exception) -> None:
    wait = wait_after(error, attempts=export.attempts)
    rows = Export.objects.filter(pk=export.pk, attempts=export.attempts, due_at__isnull=False)
    if rows.update(due_at=timezone.now() + wait.delay):
        rows.filter(state=ExportState.PENDING).exclude(reason=MISSING).update(reason=wait.description[:500])
        touch_areas(EXPORTS)


@transaction.atomic
def wake_exports() -> None:
    """The tenant has a new connection: what waited for one is looked at now, and what waits for its second 404 is not."""
    now = timezone.now()
    waiting = Export.objects.filter(due_at__gt=now).exclude(platform_id="").exclude(reason__in=(MISSING, MISSING_AT_DOWNLOAD))
    for tenant_id, export_id in waiting.values_list("tenant_id", "pk"):
        enqueue_on_commit(LOOK, tenant_id, export_id)
    waiting.update(due_at=now)
