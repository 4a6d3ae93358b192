"""Looking through texts and answers. A task takes a tenant's id alone; what is to be done stands in rows."""

from celery import shared_task

from portal.commitments.services import checks, customer_names, text_extraction
from portal.commitments.services.stale_customers import CHECK
from portal.lib import enqueue
from portal.tenants.scope import tenant_scope


@shared_task
def read_contracts(tenant_id: int) -> None:
    """Go on looking through the contracts of one tenant."""
    with tenant_scope(tenant_id):
        if text_extraction.read_contracts():
            enqueue.enqueue_on_commit(text_extraction.READ, tenant_id)


@shared_task
def sweep_readings() -> None:
    """Enqueue work for the tenants with a text that nobody has looked through."""
    for tenant_id in text_extraction.tenants_to_read():
        enqueue.enqueue_on_commit(text_extraction.READ, tenant_id)


@shared_task
def check_answers(tenant_id: int) -> None:
    """Go on holding the answers of one tenant against its promises."""
    with tenant_scope(tenant_id):
        if checks.check_answers():
            enqueue.enqueue_on_commit(CHECK, tenant_id)


@shared_task
def sweep_checks() -> None:
    """Enqueue work for the tenants whose answers or promises have changed since."""
    for tenant_id in checks.tenants_to_check():
        enqueue.enqueue_on_commit(CHECK, tenant_id)


@shared_task
def follow_names() -> None:
    """Give the commitments of renamed customers the new name."""
    customer_names.follow_names()
