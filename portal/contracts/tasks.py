from celery import shared_task
from django.utils import timezone

from portal.contracts import selectors, services
from portal.contracts.models import Upload
from portal.contracts.services.settling import SEND
from portal.lib import bell
from portal.tenants.scope import tenant_scope


@shared_task
def send_upload(tenant_id: int, upload_id: int) -> None:
    """Go on with one upload, if it is due."""
    with tenant_scope(tenant_id):
        upload = Upload.objects.due(timezone.now()).filter(pk=upload_id).first()
        if upload:
            services.run_upload(upload)


@shared_task
def sweep_uploads() -> None:
    """Ring for the uploads whose bell was lost and those that are due again, and delete files that were left behind."""
    for tenant_id, upload_id in selectors.due_uploads():
        with tenant_scope(tenant_id):
            bell.ring(SEND, tenant_id, upload_id)
    for tenant_id in selectors.tenants_with_leftover_files():
        with tenant_scope(tenant_id):
            services.delete_leftover_files()
