from celery import shared_task
from django.utils import timezone

from portal.lib import enqueue
from portal.platform_writes.bulk import due_runs
from portal.tenants.scope import tenant_scope
from portal.trust_center import services
from portal.trust_center.models import Publication
from portal.trust_center.services.checks import CHECK
from portal.trust_center.services.publications import PUBLICATIONS, WORK


@shared_task
def work_on_publication(tenant_id: int, publication_id: int) -> None:
    """Send one update, if its half minute has passed."""
    with tenant_scope(tenant_id):
        rows = Publication.objects.select_related("tenant", "asked_by").due(timezone.now())
        if publication := rows.filter(pk=publication_id).first():
            services.work_on_publication(publication)


@shared_task
def sweep_publications() -> None:
    """Enqueue work for the updates whose message was lost and those that are due again."""
    for tenant_id, publication_id in due_runs(PUBLICATIONS):
        enqueue.enqueue_on_commit(WORK, tenant_id, publication_id)


@shared_task
def check_content(tenant_id: int) -> None:
    """Go on looking for content of a tenant's Trust Center that is not right any more."""
    with tenant_scope(tenant_id):
        if services.check_content():
            enqueue.enqueue_on_commit(CHECK, tenant_id)


@shared_task
def sweep_content() -> None:
    """Enqueue work for the tenants whose content was not looked at for some minutes."""
    for tenant_id in services.tenants_to_check():
        enqueue.enqueue_on_commit(CHECK, tenant_id)
