"""Asks for this tenant's marks to be fetched now. The marks are rows: a bell that is lost only costs the sweep's interval."""

from portal.lib import bell
from portal.tenants.scope import current_tenant_id

DRAIN = "portal.inbox.tasks.drain_tenant"


def ring() -> None:
    """Ring once the current transaction has committed."""
    bell.ring(DRAIN, current_tenant_id())
