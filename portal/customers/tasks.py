from celery import shared_task
from django.utils import timezone

from portal.customers import services
from portal.customers.models import NewCustomer
from portal.customers.services.settling import SETTLE
from portal.lib import bell
from portal.tenants.scope import tenant_scope


@shared_task
def settle_creation(tenant_id: int, creation_id: int) -> None:
    """Look for what came of creating one customer, if that is due."""
    with tenant_scope(tenant_id):
        creation = NewCustomer.objects.select_related("begun_by").due(timezone.now()).filter(pk=creation_id).first()
        if creation:
            services.look_for(creation)


@shared_task
def sweep_creations() -> None:
    """Ring for the creations whose bell was lost and those that are due again."""
    for tenant_id, creation_id in services.due_creations():
        bell.ring(SETTLE, tenant_id, creation_id)
