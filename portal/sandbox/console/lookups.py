"""How a page finds what its address names; an address that names nothing is a 404."""

from typing import NoReturn

from flask import Response, abort, current_app, flash, redirect
from werkzeug.wrappers import Response as BaseResponse

from portal.sandbox.objects import Missing
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant
from portal.sandbox.webhooks.endpoints import Endpoint

type Answer = str | Response | BaseResponse


def sandbox() -> Sandbox:
    """Return the sandbox this request is for."""
    running: Sandbox = current_app.extensions["sandbox"]
    return running


def find_tenant(tenant_id: str) -> Tenant:
    return sandbox().tenants.get(tenant_id) or not_found("tenant")


def find_endpoint(endpoint_id: str) -> Endpoint:
    return sandbox().endpoints.get(endpoint_id) or not_found("endpoint")


def find_object(tenant: Tenant, kind: str, object_id: str) -> Json:
    try:
        return sandbox().objects.get(tenant.id, kind, object_id)
    except Missing:
        not_found(kind)


def not_found(what: str) -> NoReturn:
    abort(404, f"There is no such {what}.")


def back_to(address: str, message: str, *, is_error: bool = False) -> BaseResponse:
    """Answer a button: on to a page that says what happened."""
    flash(message, "error" if is_error else "message")
    return redirect(address, 303)
