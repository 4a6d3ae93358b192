"""The receiver as many are built: it stores the delivery and processes it while the platform waits. For comparison only."""

# isort: off
from portal.wsgi import application  # it sets Django up, which the others need
from portal.inbox.routes import ROUTES
from portal.inbox.services import process, receiving
from portal.tenants.scope import tenant_scope
# isort: on

__all__ = ["application"]


class Door:
    """Stands where the bell is; who rings is served at once."""

    def ring_once(self, task: str, tenant_id: int) -> None:
        with tenant_scope(tenant_id):
            process(ROUTES, limit=1)


receiving.bell = Door()  # type: ignore[assignment]
