"""What a happening is, and how it finds the object it happens to."""

from collections.abc import Callable

from portal.sandbox.api.errors import Refusal
from portal.sandbox.objects import Clause
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant

type Happening = Callable[[Sandbox, Tenant, str | None], None]
"""Called with the id of the object to change, or None to choose one."""


def chosen(sandbox: Sandbox, tenant: Tenant, kind: str, object_id: str | None, *where: Clause) -> Json:
    """Return the named object, or the newest that fits."""
    if object_id is not None:
        return sandbox.objects.get(tenant.id, kind, object_id)
    found = sandbox.objects.all(tenant.id, kind, where=where, limit=1)
    if not found:
        raise Refusal(409, f"The tenant has none of {kind} that this could happen to")
    return found[0]
