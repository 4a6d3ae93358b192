"""The comparison of all lists, which takes more calls than the platform takes in a minute."""

from collections.abc import Callable, Sequence

from django.utils import timezone

from portal.connections.models import CallWindow
from portal.inbox import tasks
from portal.sync.mirrors import Mirror
from portal.sync.models import Run, RunState
from portal.sync.services import reconcile_tenant, start_reconcile

MINUTES = 5


def compare_all(tenant_id: int) -> None:
    """Compare a tenant minute after minute until no list waits for its turn."""
    _minute_after_minute(lambda: tasks.reconcile_tenant(tenant_id))


def compare_whole(mirrors: Sequence[Mirror]) -> None:
    """Have these lists of the tenant in scope compared now, until none waits for its turn."""
    start_reconcile(mirrors)
    _minute_after_minute(lambda: reconcile_tenant(mirrors))


def _minute_after_minute(compare: Callable[[], object]) -> None:
    for _ in range(MINUTES):
        CallWindow.objects.all().delete()
        compare()
        if not Run.objects.filter(state=RunState.PAUSED).update(next_due_at=timezone.now()):
            return
    raise AssertionError(f"not compared after {MINUTES} minutes")
