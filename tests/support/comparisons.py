"""The comparison of all lists, which takes more calls than the platform takes in a minute."""

from collections.abc import Callable, Sequence

from django.utils import timezone

from portal.connections.models import CallWindow
from portal.inbox import tasks
from portal.sync.mirrors import Mirror
from portal.sync.models import Run, RunQuerySet, RunState, StaleMark
from portal.sync.services import reconcile_tenant, start_reconcile
from portal.sync.services.lists import ON_THEIR_WAY
from portal.tenants.scope import tenant_scope

MINUTES = 8


def compare_all(tenant_id: int) -> None:
    """Compare a tenant minute after minute until no list waits for its turn."""
    _minute_after_minute(lambda: tasks.reconcile_tenant(tenant_id))


def compare_whole(mirrors: Sequence[Mirror]) -> None:
    """Have these lists of the tenant in scope compared now, until none waits for its turn."""
    start_reconcile(mirrors)
    _minute_after_minute(lambda: reconcile_tenant(mirrors))


def compare_until_done(tenant_id: int, look: Callable[[], object]) -> None:
    """Compare every list once, however many minutes that takes, and fetch what stood back behind the lists."""
    due = Run.objects.all
    for _ in range(MINUTES):
        with tenant_scope(tenant_id):
            was_on_its_way = _on_their_way().exists()
            due().update(next_due_at=timezone.now())
            StaleMark.objects.waiting().update(due_at=timezone.now())
        look()
        with tenant_scope(tenant_id):
            if not was_on_its_way and not _on_their_way().exists():
                return
        # The minute's calls are for those that were not read yet.
        due = _on_their_way


def _on_their_way() -> RunQuerySet:
    return Run.objects.filter(state__in=ON_THEIR_WAY)


def _minute_after_minute(compare: Callable[[], object]) -> None:
    for _ in range(MINUTES):
        CallWindow.objects.all().delete()
        compare()
        if not Run.objects.filter(state=RunState.PAUSED).update(next_due_at=timezone.now()):
            return
    raise AssertionError(f"not compared after {MINUTES} minutes")
