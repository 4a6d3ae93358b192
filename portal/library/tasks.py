from celery import shared_task

from portal.lib import enqueue
from portal.library import services
from portal.library.services.wordings import RENEW
from portal.tenants.scope import tenant_scope


@shared_task
def renew_wordings(tenant_id: int) -> None:
    """Go on with the wordings of a tenant that were made with the lexicon of an earlier release."""
    with tenant_scope(tenant_id):
        if services.renew_wordings():
            enqueue.enqueue_on_commit(RENEW, tenant_id)


@shared_task
def sweep_wordings() -> None:
    """Enqueue work for the tenants with wordings of an earlier lexicon."""
    for tenant_id in services.tenants_with_outdated_wordings():
        enqueue.enqueue_on_commit(RENEW, tenant_id)
