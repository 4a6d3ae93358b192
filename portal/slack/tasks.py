from celery import shared_task

from portal.lib.enqueue import enqueue_on_commit
from portal.slack import services
from portal.tenants.scope import tenant_scope


@shared_task
def update_messages(tenant_id: int) -> None:
    """Update the Slack messages of one tenant that show a request as it was."""
    with tenant_scope(tenant_id):
        services.update_messages()


@shared_task
def sweep_messages() -> None:
    """Enqueue `update_messages` for the tenants where something has changed."""
    for tenant_id in services.tenants_with_outdated_messages():
        enqueue_on_commit(services.UPDATE_MESSAGES, tenant_id)
