from celery import shared_task

from portal.lib import enqueue
from portal.library import services
from portal.library.services.entries import COMPARE
from portal.library.services.wordings import RENEW
from portal.tenants.scope import tenant_scope


@shared_task
def renew_postings(tenant_id: int) -> None:
    """Go on with the postings of a tenant that were made with the lexicon of an earlier release."""
    with tenant_scope(tenant_id):
        if services.renew_postings():
            enqueue.enqueue_on_commit(RENEW, tenant_id)


@shared_task
def sweep_postings() -> None:
    """Enqueue work for the tenants with postings of an earlier lexicon."""
    for tenant_id in services.tenants_with_outdated_postings():
        enqueue.enqueue_on_commit(RENEW, tenant_id)


@shared_task
def compare(tenant_id: int) -> None:
    """Find out which questions have an entry and which entries are alike, where something has changed."""
    with tenant_scope(tenant_id):
        if services.compare():
            enqueue.enqueue_on_commit(COMPARE, tenant_id)


@shared_task
def sweep_comparisons() -> None:
    """Enqueue work for the tenants with entries or wordings that have yet to be compared."""
    for tenant_id in services.tenants_to_compare():
        enqueue.enqueue_on_commit(COMPARE, tenant_id)
