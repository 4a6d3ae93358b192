from celery import shared_task

from portal.connections import services
from portal.connections.services import notices, probes, queue, removal
from portal.lib.enqueue import enqueue_on_commit
from portal.tenants.scope import tenant_scope

PROBE = "portal.connections.tasks.probe_tenant"
SERVE = "portal.connections.tasks.serve_token_queue"
LEAVE = "portal.connections.tasks.sweep_offboarding"


@shared_task
def serve_token_queue() -> None:
    """Make the calls to the token endpoint that the budget has now, each for the one whose turn it is; suspensions too."""
    queue.serve_all()


@shared_task
def keep_grants_alive() -> None:
    """Have grants refreshed that nobody has used for long, as far as the budget carries it."""
    queue.keep_alive()
    queue.watch_load()


@shared_task
def probe_tenant(tenant_id: int) -> None:
    """Find out what one tenant's grant covers."""
    with tenant_scope(tenant_id):
        probes.probe(services.Urgency.NEWS)


@shared_task
def sweep_probes() -> None:
    """Probe the grants that were not looked at today, those first that were longest not tried."""
    for tenant_id in probes.tenants_to_probe():
        enqueue_on_commit(PROBE, tenant_id)


@shared_task
def tell_of_ended_grants() -> None:
    """Tell the owners of tenants whose grant has ended without anybody here wanting it."""
    notices.tell_all()


@shared_task
def sweep_offboarding() -> None:
    """Remove copies whose date has come, and tenants that were deleted and are confirmed to be cut off."""
    removal.purge_due()
    removal.remove_closed_tenants()
