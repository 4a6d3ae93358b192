from celery import shared_task
from django.utils import timezone

from portal.lib import enqueue
from portal.tags import services
from portal.tags.models import SwitchChange
from portal.tags.services.outcomes import SETTLE
from portal.tenants.scope import tenant_scope


@shared_task
def verify_switch(tenant_id: int, change_id: int) -> None:
    """Verify the outcome of one switch change, if that is due."""
    with tenant_scope(tenant_id):
        rows = SwitchChange.objects.select_related("category", "begun_by").due(timezone.now())
        change = rows.filter(pk=change_id).first()
        if change:
            services.verify_outcome(change)


@shared_task
def sweep_switches() -> None:
    """Enqueue work for the switches whose message was lost and those that are due again."""
    for tenant_id, change_id in services.due_switches():
        enqueue.enqueue_on_commit(SETTLE, tenant_id, change_id)
