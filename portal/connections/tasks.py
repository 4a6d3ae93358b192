from celery import shared_task
from django.utils import timezone

from portal.connections.models import Suspension
from portal.connections.services import run_suspension
from portal.tenants.scope import all_tenants, tenant_scope


@shared_task
def sweep_suspensions() -> None:
    """Suspend what is due, oldest first. The rows stay until the platform has confirmed."""
    with all_tenants("the sweep suspends the tokens of every tenant"):
        due = list(Suspension.objects.filter(confirmed_at=None, due_at__lte=timezone.now()).order_by("created_at")[:20])
    for suspension in due:
        with tenant_scope(suspension.tenant_id):
            run_suspension(suspension)
