from celery import shared_task
from django.utils import timezone

from portal.access_requests.models import ViewerRun
from portal.access_requests.services import viewer_checks
from portal.access_requests.services.automatic_decisions import apply_and_act
from portal.access_requests.services.due_decisions import send_due, tenants_with_due_decisions
from portal.access_requests.services.rule_verdicts import APPLY, tenants_to_apply
from portal.access_requests.services.scheduling import SEND
from portal.access_requests.services.viewer_runs import VIEWERS, WORK, work_on_viewers
from portal.lib import enqueue
from portal.platform_writes.bulk import due_runs
from portal.tenants.scope import tenant_scope


@shared_task
def send_decisions(tenant_id: int) -> None:
    """Send the decisions of one tenant whose half minute has passed."""
    with tenant_scope(tenant_id):
        is_more = send_due()
    if is_more:
        enqueue.enqueue_on_commit(SEND, tenant_id)


@shared_task
def sweep_decisions() -> None:
    """Enqueue work for the tenants whose message was lost, whose worker died, or whose pause is over."""
    for tenant_id in tenants_with_due_decisions():
        enqueue.enqueue_on_commit(SEND, tenant_id)


@shared_task
def work_on_viewer_run(tenant_id: int, run_id: int) -> None:
    """Go on with one change of viewers, if it is due."""
    with tenant_scope(tenant_id):
        run = ViewerRun.objects.select_related("tenant", "asked_by").due(timezone.now()).filter(pk=run_id).first()
        if run:
            work_on_viewers(run)


@shared_task
def sweep_viewer_runs() -> None:
    """Enqueue work for the changes of viewers whose message was lost and those that are due again."""
    for tenant_id, run_id in due_runs(VIEWERS):
        enqueue.enqueue_on_commit(WORK, tenant_id, run_id)


@shared_task
def apply_rules(tenant_id: int) -> None:
    """Give what waits at one tenant its verdicts, and let the rules that act by themselves act."""
    with tenant_scope(tenant_id):
        is_more = apply_and_act()
    if is_more:
        enqueue.enqueue_on_commit(APPLY, tenant_id)


@shared_task
def sweep_rules() -> None:
    """Enqueue work for the tenants whose rules or facts have changed since, or where a rule waits for fresh facts."""
    for tenant_id in tenants_to_apply():
        enqueue.enqueue_on_commit(APPLY, tenant_id)


@shared_task
def check_viewers(tenant_id: int) -> None:
    """Go on looking up what the review of one tenant needs."""
    with tenant_scope(tenant_id):
        if viewer_checks.check_viewers():
            enqueue.enqueue_on_commit(viewer_checks.CHECK, tenant_id)


@shared_task
def sweep_viewer_checks() -> None:
    """Enqueue work for the tenants with viewers whose facts are new or an hour old."""
    for tenant_id in viewer_checks.tenants_to_check():
        enqueue.enqueue_on_commit(viewer_checks.CHECK, tenant_id)
