"""The control calls about tenants, applications, objects, faults, the clock and the request log."""

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from portal.sandbox import ticker
from portal.sandbox.applications import Application
from portal.sandbox.control import bodies, events
from portal.sandbox.control.access import body, sandbox, tenant_of
from portal.sandbox.control.hooks import blueprint as hooks
from portal.sandbox.kinds import KINDS
from portal.sandbox.store import Json
from portal.sandbox.values import moment

blueprint = Blueprint("control", __name__, url_prefix="/_control")


@blueprint.errorhandler(ValueError)
def invalid(problem: ValueError) -> ResponseReturnValue:
    return jsonify({"message": str(problem)}), 400


@blueprint.errorhandler(KeyError)
def unknown(problem: KeyError) -> ResponseReturnValue:
    return jsonify({"message": f"unknown: {problem.args[0]}"}), 404


@blueprint.get("/applications")
def applications() -> Response:
    return jsonify([shown(application) for application in sandbox().applications.all()])


@blueprint.post("/applications")
def add_application() -> Response:
    """Register one more application, of one tenant if wanted (a tenant's own management application)."""
    sent = body(bodies.APPLICATION)
    tenant_id = tenant_of(sent["tenant_id"]).id if sent.get("tenant_id") else None
    return jsonify(shown(sandbox().applications.create(sent["type"], tenant_id=tenant_id)))


def shown(application: Application) -> Json:
    names = ("type", "client_id", "client_secret", "scopes", "redirect_uris", "tenant_id")
    return {name: getattr(application, name) for name in names}


@blueprint.post("/applications/<client_id>/redirect-uris")
def add_redirect_uri(client_id: str) -> ResponseReturnValue:
    sandbox().applications.add_redirect_uri(client_id, body(bodies.REDIRECT_URI)["redirect_uri"])
    return "", 204


@blueprint.post("/applications/<client_id>/rotate-secret")
def rotate_application_secret(client_id: str) -> Response:
    return jsonify({"client_secret": sandbox().applications.rotate_secret(client_id)})


@blueprint.post("/tenants")
def add_tenant() -> Response:
    sent = body(bodies.TENANT)
    tenant = sandbox().tenants.create(sent.pop("name"), **sent)
    return jsonify({"tenant_id": tenant.id, "slugId": tenant.slug_id})


@blueprint.get("/tenants")
def tenants() -> Response:
    return jsonify(
        [
            {"tenant_id": tenant.id, "name": tenant.name, "region": tenant.region, "slugId": tenant.slug_id}
            for tenant in sandbox().tenants.all()
        ]
    )


@blueprint.post("/tenants/<tenant_id>/revoke")
def revoke_grants(tenant_id: str) -> ResponseReturnValue:
    """End all grants of a tenant from the platform's side, which tells nobody (platform-api U3)."""
    for grant in sandbox().grants.living(tenant_of(tenant_id).id):
        sandbox().grants.revoke(grant["id"])
    return "", 204


@blueprint.post("/grants/supersede")
def supersede_token() -> ResponseReturnValue:
    """End the living access token of a source_id and keep the grant, as a mint elsewhere does (specification 3.6)."""
    source_id = body(bodies.SUPERSEDED)["source_id"]
    ended = [sandbox().grants.supersede(each.client_id, source_id=source_id) for each in sandbox().applications.all()]
    if not any(ended):
        raise KeyError(source_id)
    return "", 204


@blueprint.post("/events")
def fire_event() -> Response:
    sent = body(bodies.EVENT)
    tenant = tenant_of(sent["tenant_id"])
    if "payload" in sent:
        return jsonify({"hook_id": sandbox().emit(tenant.id, sent["type"], sent["payload"])})
    with sandbox().store.transaction():
        return jsonify({"hook_id": events.happen(sandbox(), tenant, sent["type"], object_id=sent.get("object_id"))})


@blueprint.post("/objects/<tenant_id>/<kind>")
def add_objects(tenant_id: str, kind: str) -> ResponseReturnValue:
    """Add objects as they are given, the oldest first: visits and conversations, which no event makes or tells of."""
    sent = body(bodies.OBJECTS)
    tenant = tenant_of(tenant_id)
    with sandbox().store.transaction():
        sandbox().objects.add_many(tenant.id, kind_named(kind), sent["objects"], parent_id=sent.get("parent_id"))
    return "", 204


def kind_named(kind: str) -> str:
    """Find a kind by its name, in the singular or the plural. Raises KeyError."""
    kind = kind.replace("_", "-")
    kind = kind if kind in KINDS else f"{kind}s"
    if kind not in KINDS:
        raise KeyError(kind)
    return kind


@blueprint.get("/objects/<tenant_id>/<kind>")
def objects(tenant_id: str, kind: str) -> Response:
    """Answer all objects of a kind as the API would give them, in its order."""
    kind = kind_named(kind)
    found = sandbox().objects.all(
        tenant_of(tenant_id).id,
        kind,
        parent_id=request.args.get("parent_id"),
        include_removed=request.args.get("includeRemoved") != "false",
        oldest_first=kind == "responses",
    )
    return jsonify(found)


@blueprint.route("/faults", methods=["GET", "POST", "DELETE"])
def faults() -> ResponseReturnValue:
    if request.method == "DELETE":
        sandbox().faults.clear()
        return "", 204
    if request.method == "POST":
        sent = body(bodies.FAULT)
        return jsonify({"id": sandbox().faults.add(sent.pop("kind"), **sent).id})
    names = ("id", "kind", "method", "path", "value", "times")
    return jsonify([{name: getattr(fault, name) for name in names} for fault in sandbox().faults.all()])


@blueprint.route("/clock", methods=["GET", "POST"])
def clock() -> Response:
    if request.method == "POST":
        sandbox().clock.advance(body(bodies.CLOCK)["advance_seconds"])
        sandbox().bell.ring()
    return jsonify({"now": moment(sandbox().clock.now())})


@blueprint.get("/requests")
def requests() -> Response:
    since = request.args.get("since", "0")
    if not (since.isascii() and since.isdigit() and len(since) < 16):
        raise ValueError("since must be a number")
    return jsonify(sandbox().request_log.since(int(since)))


@blueprint.route("/limits", methods=["GET", "POST"])
def limits() -> Response:
    if request.method == "POST":
        sandbox().limits.change(body(bodies.LIMITS))
    return jsonify(sandbox().limits.current())


@blueprint.post("/deliver")
def deliver() -> Response:
    """Do all that is due, and only then answer."""
    return jsonify({"attempts": sandbox().deliver_due()})


@blueprint.post("/tick")
def tick() -> ResponseReturnValue:
    ticker.tick(sandbox())
    return "", 204


@blueprint.post("/reset")
def reset() -> ResponseReturnValue:
    sandbox().reset()
    return "", 204


blueprint.register_blueprint(hooks)


@blueprint.route("/switches", methods=["GET", "POST"])
def switches() -> Response:
    """Read or set how the sandbox decides what the specification leaves open."""
    if request.method == "POST":
        sandbox().switches.change(body(bodies.SWITCHED))
    return jsonify(sandbox().switches.current())


@blueprint.route("/own-name", methods=["GET", "POST"])
def own_name() -> Response:
    """Read or set the platform's own name, for clients that know no other word in its place."""
    if request.method == "POST":
        sandbox().own_name.change(body(bodies.OWN_NAME)["name"])
    return jsonify({"name": sandbox().own_name.current})
