from celery import shared_task
from django.utils import timezone

from portal.customers import services
from portal.customers.models import ImportRun, NewCustomer
from portal.customers.services.imports import IMPORTS, WORK
from portal.customers.services.outcomes import SETTLE
from portal.lib import enqueue
from portal.platform_writes.bulk import due_runs
from portal.tenants.scope import tenant_scope


@shared_task
def verify_creation(tenant_id: int, creation_id: int) -> None:
    """Look for what came of creating one customer, if that is due."""
    with tenant_scope(tenant_id):
        creation = NewCustomer.objects.select_related("begun_by").due(timezone.now()).filter(pk=creation_id).first()
        if creation:
            services.verify_outcome(creation)


@shared_task
def sweep_creations() -> None:
    """Enqueue work for the creations whose message was lost and those that are due again."""
    for tenant_id, creation_id in services.due_creations():
        enqueue.enqueue_on_commit(SETTLE, tenant_id, creation_id)


@shared_task
def work_on_import(tenant_id: int, run_id: int) -> None:
    """Go on with one import, if it is due."""
    with tenant_scope(tenant_id):
        run = ImportRun.objects.select_related("tenant", "asked_by").due(timezone.now()).filter(pk=run_id).first()
        if run:
            services.work_on_import(run)


@shared_task
def sweep_imports() -> None:
    """Enqueue work for the imports whose message was lost and those that are due again."""
    for tenant_id, run_id in due_runs(IMPORTS):
        enqueue.enqueue_on_commit(WORK, tenant_id, run_id)
