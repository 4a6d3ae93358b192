"""What changes with the next run of a test (platform-api 4.10)."""

from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json

JOB, KIND = "test-run", "entities"
RUN_SECONDS = 30.0
"""Until the next run, in seconds of the sandbox's clock: a test that runs once an hour would be waited for too long."""


def plan(sandbox: Sandbox, tenant_id: str, entity: Json, *, facts: Json) -> None:
    """Let the next run change an entity."""
    sandbox.objects.save(tenant_id, KIND, entity | {"next": facts})
    sandbox.schedule(tenant_id, JOB, entity["id"], seconds=RUN_SECONDS)


def run(sandbox: Sandbox, tenant_id: str, entity_id: str) -> None:
    """Do what was planned last; an earlier plan has gone with it. Raises Missing."""
    entity = sandbox.objects.get(tenant_id, KIND, entity_id)
    planned = entity.pop("next", {})
    sandbox.objects.save(tenant_id, KIND, entity | planned)
