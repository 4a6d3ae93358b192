"""The comparison of all lists, which takes more calls than the platform takes in a minute."""

from django.utils import timezone

from portal.connections.models import CallWindow
from portal.inbox import tasks
from portal.sync.models import Run, RunState

MINUTES = 5


def compare_all(tenant_id: int) -> None:
    """Compare a tenant minute after minute until no list waits for its turn."""
    for _ in range(MINUTES):
        CallWindow.objects.all().delete()
        tasks.reconcile_tenant(tenant_id)
        if not Run.objects.filter(state=RunState.PAUSED).update(next_due_at=timezone.now()):
            return
    raise AssertionError(f"not compared after {MINUTES} minutes")
