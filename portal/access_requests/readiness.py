"""Whether the desk can show what the platform has, and if not, why."""

from dataclasses import dataclass

from portal.connections.services import connection_of_tenant
from portal.sync.models import Run, RunState


@dataclass(frozen=True)
class Readiness:
    """Whether the desk can show and decide requests, and if not, what is missing."""

    is_connected: bool
    was_connected: bool
    has_trust_center: bool
    is_fetching: bool
    problem: str


def readiness(kind: str) -> Readiness:
    """Say what stands between the tenant and its requests or viewers."""
    connection = connection_of_tenant()
    run = Run.objects.filter(kind=kind).first()
    is_connected = connection is not None and connection.is_active
    has_problem = is_connected and run is not None and run.state in (RunState.BLOCKED, RunState.FAILED)
    return Readiness(
        is_connected=is_connected,
        was_connected=connection is not None and connection.connected_at is not None,
        has_trust_center=bool(connection and connection.slug_id),
        is_fetching=is_connected and (run is None or (run.is_first and not has_problem)),
        problem=run.error if run and has_problem else "",
    )
