"""The control calls about webhook endpoints and their messages."""

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from portal.sandbox.control import bodies
from portal.sandbox.control.access import body, sandbox, tenant_of

blueprint = Blueprint("hooks", __name__)


@blueprint.get("/endpoints")
def endpoints() -> Response:
    return jsonify([bodies.shown_endpoint(endpoint) for endpoint in sandbox().endpoints.all()])


@blueprint.post("/endpoints")
def add_endpoint() -> Response:
    sent = body(bodies.ENDPOINT)
    tenant = tenant_of(sent["tenant_id"])
    endpoint = sandbox().endpoints.create(tenant.id, url=sent["url"], event_types=sent.get("event_types", []))
    return jsonify({"endpoint_id": endpoint.id, "secret": endpoint.secret})


@blueprint.post("/endpoints/<endpoint_id>")
def change_endpoint(endpoint_id: str) -> Response:
    """Enable, disable or move an endpoint, or choose its event types."""
    return jsonify(bodies.shown_endpoint(sandbox().endpoints.update(endpoint_id, **body(bodies.ENDPOINT_CHANGE))))


@blueprint.post("/endpoints/<endpoint_id>/rotate-secret")
def rotate_secret(endpoint_id: str) -> Response:
    return jsonify({"secret": sandbox().endpoints.rotate_secret(endpoint_id).secret})


@blueprint.delete("/endpoints/<endpoint_id>")
def delete_endpoint(endpoint_id: str) -> ResponseReturnValue:
    sandbox().endpoints.delete(endpoint_id)
    return "", 204


@blueprint.get("/messages/<endpoint_id>")
def messages(endpoint_id: str) -> Response:
    found = sandbox().messages.history(endpoint_id, limit=1000)
    return jsonify([bodies.shown_message(message) for message in found])


@blueprint.post("/messages/<endpoint_id>/<hook_id>/resend")
def resend(endpoint_id: str, hook_id: str) -> ResponseReturnValue:
    sandbox().messages.resend(endpoint_id, hook_id)
    return "", 204


@blueprint.post("/messages/<endpoint_id>/recover")
def recover(endpoint_id: str) -> Response:
    sent = body(bodies.RECOVERY)
    return jsonify({"messages": sandbox().messages.recover(endpoint_id, **bodies.time_range(sent))})


@blueprint.post("/messages/<endpoint_id>/example")
def example(endpoint_id: str) -> Response:
    return jsonify({"hook_id": sandbox().messages.send_example(endpoint_id, body(bodies.EXAMPLE)["type"])})
