from celery import shared_task
from django.utils import timezone

from portal.lib import enqueue
from portal.people.models import GroupRun
from portal.people.services.group_runs import GROUPS, WORK, work_on_group
from portal.platform_writes.bulk import due_runs
from portal.tenants.scope import tenant_scope


@shared_task
def work_on_group_run(tenant_id: int, run_id: int) -> None:
    """Go on with one change of a group, if it is due."""
    with tenant_scope(tenant_id):
        run = GroupRun.objects.select_related("tenant", "asked_by").due(timezone.now()).filter(pk=run_id).first()
        if run:
            work_on_group(run)


@shared_task
def sweep_group_runs() -> None:
    """Enqueue work for the changes of groups whose message was lost and those that are due again."""
    for tenant_id, run_id in due_runs(GROUPS):
        enqueue.enqueue_on_commit(WORK, tenant_id, run_id)
