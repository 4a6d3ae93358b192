"""What every control call needs: the sandbox, the checked body, the tenant that was named."""

from typing import Any

from flask import current_app, request

from portal.sandbox.api.errors import Refusal
from portal.sandbox.api.schemas import check
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant


def sandbox() -> Sandbox:
    running: Sandbox = current_app.extensions["sandbox"]
    return running


def body(schema: Json) -> Json:
    """Read the JSON object that was sent and check it. No body is an empty object."""
    sent: Any = request.get_json(silent=True) if request.get_data() else {}
    check(sent, schema)
    return dict(sent)


def tenant_of(tenant_id: str) -> Tenant:
    tenant = sandbox().tenants.get(tenant_id)
    if tenant is None:
        raise Refusal(404, f"Tenant with id: {tenant_id} not found")
    return tenant
