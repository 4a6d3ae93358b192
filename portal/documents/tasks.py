from celery import shared_task

from portal.documents import services
from portal.tenants.scope import tenant_scope


@shared_task
def sweep_document_uploads() -> None:
    """Have the lists read that tell whether a file arrived whose answer was lost, or whose process died."""
    for tenant_id, attempt_id in services.due_looks():
        with tenant_scope(tenant_id):
            services.look_again(attempt_id)


@shared_task
def sweep_document_details() -> None:
    """Go on fetching what the list of documents leaves out."""
    for tenant_id in services.tenants_with_old_details():
        with tenant_scope(tenant_id):
            services.ask_for_details()
