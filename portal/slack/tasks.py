from celery import shared_task

from portal.lib.enqueue import enqueue_on_commit
from portal.slack import services
from portal.tenants.scope import tenant_scope


@shared_task
def keep_messages_up(tenant_id: int) -> None:
    """Change the messages in Slack of one tenant that show a request as it was."""
    with tenant_scope(tenant_id):
        services.keep_up()


@shared_task
def sweep_messages() -> None:
    """Enqueue that for the tenants where something has changed."""
    for tenant_id in services.tenants_to_keep_up():
        enqueue_on_commit(services.KEEP_UP, tenant_id)
