"""Has this tenant's marks fetched now. The marks are rows: a message that is lost only costs the sweep's interval."""

from portal.lib import enqueue
from portal.tenants.scope import current_tenant_id

DRAIN = "portal.inbox.tasks.drain_tenant"


def wake_drain() -> None:
    """Enqueue the drain, once the current transaction has committed."""
    enqueue.enqueue_on_commit(DRAIN, current_tenant_id())
