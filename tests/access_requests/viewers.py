"""Changing viewers as a person does, and doing the workers' part."""

from typing import Any

from django.utils import timezone

from portal.access_requests import services
from portal.access_requests.models import Viewer, ViewerItem, ViewerRun
from portal.access_requests.services.viewer_runs import VIEWERS
from portal.access_requests.tasks import work_on_viewer_run
from portal.access_requests.viewer_changes import ViewerChange
from portal.connections.models import CallWindow
from portal.platform_writes.bulk import due_runs
from portal.tenants.models import Membership

PAGE = "/t/acme/access-requests/viewers/"
CALLS = "/v1/trust-centers/*/viewers/*"


def let_work(*, turns: int = 40) -> None:
    """Do what the workers do until every run is over, without waiting for the minutes and pauses to pass."""
    for _ in range(turns):
        CallWindow.objects.all().delete()
        if turns > 1:
            ViewerRun.objects.update(due_at=timezone.now())
            ViewerItem.objects.update(due_at=timezone.now())
        due = due_runs(VIEWERS)
        for tenant_id, run_id in due:
            work_on_viewer_run(tenant_id, run_id)
        if not due:
            return


def start(member: Membership, verb: str, rows: list[Viewer] | None = None, **terms: Any) -> ViewerRun:
    rows = Viewer.objects.order_by("pk") if rows is None else rows
    return services.start_viewer_run(ViewerChange(verb=verb, **terms), member=member, viewers=[row.pk for row in rows])


def states(run: ViewerRun) -> list[str]:
    return list(ViewerItem.objects.filter(run=run).order_by("pk").values_list("state", flat=True))


def words_of(run: ViewerRun) -> list[str]:
    return list(ViewerItem.objects.filter(run=run).order_by("pk").values_list("description", flat=True))
