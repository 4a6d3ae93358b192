"""The way of every API request: token, scope, limit, body, handler; the order is that of platform-api 1.1."""

import json
import math
from typing import Any

from flask import Flask, Response, current_app, jsonify, request
from werkzeug.exceptions import NotFound

from portal.sandbox.api.errors import Invalid, Refusal
from portal.sandbox.api.route import Answer, Area, Call, Form, Route
from portal.sandbox.api.routing import Routing
from portal.sandbox.api.schemas import check
from portal.sandbox.api.table import ROUTES
from portal.sandbox.applications import MANAGEMENT
from portal.sandbox.limits import TooManyRequests
from portal.sandbox.oauth.grants import Caller
from portal.sandbox.objects import Missing
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant
from portal.sandbox.wsgi import CALLER

EDGE_REFUSAL = "<!doctype html><title>403 Forbidden</title><h1>403 Forbidden</h1>"


ROUTING = Routing(ROUTES)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def register(app: Flask) -> None:
    """Serve every endpoint of the table, and answer for every address that nobody else serves."""
    app.add_url_rule("/<path:path>", view_func=serve, methods=METHODS, provide_automatic_options=False)
    app.register_error_handler(Refusal, lambda refusal: (jsonify(refusal.body()), refusal.status))
    app.register_error_handler(Missing, lambda missing: (jsonify({"message": str(missing)}), 404))
    app.register_error_handler(TooManyRequests, too_many_requests)


def serve(path: str) -> Response:
    found = ROUTING.find(request.method, request.path)
    if found is None:
        raise NotFound
    route, ids = found
    # The edge of the platform refuses a GET with a body before the API sees it (platform-api 1.1).
    if request.method == "GET" and (request.content_length or "Transfer-Encoding" in request.headers):
        return Response(EDGE_REFUSAL, status=403, mimetype="text/html")
    sandbox: Sandbox = current_app.extensions["sandbox"]
    caller, tenant = authenticate(sandbox)
    if sandbox.strict_scopes:
        check_scope(caller, route)
    sandbox.limits.count(route.bucket, (caller.application.client_id, caller.source_id))
    call = Call(
        sandbox=sandbox,
        caller=caller,
        tenant=tenant,
        ids=ids,
        query=request.args,
        body=read_body(route),
        file=request.files.get("file") if route.form else None,
        host_url=request.host_url,
    )
    # One request is one change: either all of it is kept, with its events, or nothing.
    with sandbox.store.transaction():
        return answered(route.handler(call), status=route.status)


def authenticate(sandbox: Sandbox) -> tuple[Caller, Tenant]:
    """Say who calls, and for which tenant. Raises a 401 for every token that does not live."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    caller = sandbox.grants.caller(token.strip()) if scheme.lower() == "bearer" else None
    tenant = sandbox.tenants.get(caller.tenant_id) if caller else None
    if caller is None or tenant is None:
        raise Refusal(401, "Unauthorized")
    request.environ[CALLER].update(client_id=caller.application.client_id, source_id=caller.source_id)
    return caller, tenant


def check_scope(caller: Caller, route: Route) -> None:
    """Refuse tokens of the wrong kind of application, as the public reference says the platform does (7.1)."""
    enough = {"svc-api.all:write"} | ({"svc-api.all:read"} if route.method == "GET" else set())
    fits = route.area is Area.MANAGEMENT and caller.application.type == MANAGEMENT
    if not fits or not enough & set(caller.scope.split()):
        raise Refusal(403, "Unauthorized")


def read_body(route: Route) -> Json:
    """Read and check the body. Raises Invalid."""
    if route.form:
        return read_form(route.form)
    if route.body is None:
        return {}
    raw = request.get_data()
    if not raw and route.may_omit_body:
        return {}
    try:
        body = json.loads(raw, parse_constant=refuse_constant, parse_float=finite)
    except (ValueError, RecursionError):
        raise Invalid.at("body", "invalid JSON") from None
    check(body, route.body)
    return dict(body)


def read_form(form: Form) -> Json:
    """Turn the text parts into a body, parts with JSON decoded, and check that and the file."""
    values: Json = request.form.to_dict()
    for name in form.json_parts:
        if name in values:
            try:
                values[name] = json.loads(values[name])
            except (ValueError, RecursionError):
                raise Invalid.at(f"body.{name}", "invalid JSON", value=values[name]) from None
    check(values, form.schema)
    file = request.files.get("file")
    if file is None or not file.filename:
        raise Invalid.at("body.file", "'file' is required")
    if not file.filename.lower().endswith(form.extensions):
        raise Invalid.at("body.file", f"must be one of {', '.join(form.extensions)}", value=file.filename)
    return values


def refuse_constant(name: str) -> Any:
    raise ValueError(name)


def finite(text: str) -> float:
    """Read a number. 1e999 would become infinity, which no JSON answer can say."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def answered(answer: Answer, *, status: int) -> Response:
    if isinstance(answer, Response):
        return answer
    if answer is None:
        return Response(status=status)
    response = jsonify(answer)
    response.status_code = status
    return response


def too_many_requests(error: TooManyRequests) -> Response:
    response = jsonify({"message": str(error)})
    response.status_code = 429
    response.headers["Retry-After"] = str(error.retry_after)
    return response
