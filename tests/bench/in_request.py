"""The receiver as many are built: it stores the delivery and processes it while the platform waits. For comparison only."""

# isort: off
from portal.wsgi import application  # it sets Django up, which the others need
from portal.inbox.routes import ROUTES
from portal.inbox.services import process, intake
from portal.tenants.scope import tenant_scope
# isort: on

__all__ = ["application"]


class Door:
    """Stands where tasks are enqueued; who asks for one is served at once."""

    def enqueue_coalesced(self, task: str, tenant_id: int) -> None:
        with tenant_scope(tenant_id):
            process(ROUTES, limit=1)


# Where the receiver has another way by now, it would be compared with itself.
assert hasattr(intake.enqueue, "enqueue_coalesced")
intake.enqueue = Door()  # type: ignore[assignment]
