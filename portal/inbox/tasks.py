from celery import shared_task

from portal.inbox import selectors, services
from portal.inbox.metrics import DRAIN_SECONDS
from portal.inbox.routes import MIRRORS, ROUTES
from portal.lib import enqueue
from portal.sync import selectors as sync_selectors
from portal.sync import services as sync
from portal.sync.wake import wake_drain
from portal.tenants.scope import current_tenant_id, tenant_scope
from portal.tenants.turns import serve_in_turn

RECONCILE = "portal.inbox.tasks.reconcile_tenant"


@shared_task
def process_deliveries(tenant_id: int) -> None:
    """Handle a tenant's due deliveries, then have fetched what they marked."""
    with tenant_scope(tenant_id):
        with DRAIN_SECONDS.time():
            taken = services.process(ROUTES)
        if taken:
            wake_drain()


@shared_task
def sweep_deliveries() -> None:
    """Handle the deliveries whose message was lost and those whose next try is due, tenant by tenant in turn."""
    for tenant_id in services.process_tenants(selectors.tenants_with_due_deliveries(), ROUTES):
        with tenant_scope(tenant_id):
            wake_drain()


@shared_task
def watch_feeds() -> None:
    """Look for feeds that are silent for longer than their rhythm explains, or refused, and tell the admins."""
    services.watch_all()
    services.tell_of_silences()
    services.tell_of_late_secrets()
    # Here, and not with every sweep: no index leads to what is settled, and it may lie for an hour anyway.
    sync.prune_marks()
    sync.prune_missed()


@shared_task
def drain_tenant(tenant_id: int) -> None:
    """Fetch what is marked in one tenant and tell the deliveries what became of it."""
    with tenant_scope(tenant_id):
        outcomes = sync.drain_tenant(MIRRORS)
        services.note_outcomes(outcomes)
        if outcomes:
            # There may be more than one turn was enough for; without, the next one ends at once.
            wake_drain()


@shared_task
def sweep_stale_marks() -> None:
    """Enqueue the drain of each tenant whose marks wait for a fetch."""
    for tenant_id in sync_selectors.tenants_with_due_marks():
        with tenant_scope(tenant_id):
            wake_drain()


@shared_task
def reconcile_tenant(tenant_id: int) -> None:
    """Compare one tenant with the platform as far as that is due, and go on in another task when the time was over."""
    with tenant_scope(tenant_id):
        is_finished = sync.reconcile_tenant(MIRRORS)
        wake_drain()
        if not is_finished:
            enqueue.enqueue_on_commit(RECONCILE, tenant_id)


@shared_task
def sweep_reconciles() -> None:
    """Enqueue the comparison of each tenant where one is due, was interrupted, or never began."""
    kinds = sum(mirror.page is not None for mirror in MIRRORS)
    turns = [(tenant_id,) for tenant_id in sync_selectors.tenants_to_reconcile(kinds)]
    serve_in_turn(turns, _begin_missing, what="beginning comparisons")


def _begin_missing() -> None:
    sync.start_missing(MIRRORS)
    enqueue.enqueue_on_commit(RECONCILE, current_tenant_id())


@shared_task
def prune_deliveries() -> None:
    """Remove the bodies and the secrets whose time is over. What is left of a long queue waits for the next hour."""
    services.prune_bodies()
    services.wipe_ended()
