"""The way of every API request: token, scope, limit, body, handler; the order is that of platform-api 1.1."""

import json
import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, current_app, jsonify, request
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter, PathConverter

from portal.sandbox.api.errors import Invalid, Refusal, unprocessable
from portal.sandbox.api.event_log import log_write
from portal.sandbox.api.own_words import heard, spoken
from portal.sandbox.api.route import SLUG, Answer, Call, Form, Route
from portal.sandbox.api.routing import Routing
from portal.sandbox.api.schemas import check, references
from portal.sandbox.api.table import ROUTES
from portal.sandbox.api.wordings import none_of, required
from portal.sandbox.applications import INTEGRATION_SCOPES
from portal.sandbox.kinds import BY_PLACEHOLDER
from portal.sandbox.limits import INTEGRATION, TooManyRequests
from portal.sandbox.oauth.grants import Caller
from portal.sandbox.objects import Missing
from portal.sandbox.regions import REGION, is_at_home
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.switches import EVENTS_OF_CALLERS, RETRY_AFTER, STRICT_SCOPES
from portal.sandbox.tenants import Tenant
from portal.sandbox.wsgi import CALLER, segments_of

EDGE_REFUSAL = "<!doctype html><title>403 Forbidden</title><h1>403 Forbidden</h1>"


ROUTING = Routing(ROUTES)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Anything(PathConverter):
    """A path with line breaks in it too: an id may be any text, and one that does not exist is a 404 of the API."""

    regex = r"[^/][\s\S]*?"


class AnyId(BaseConverter):
    """An id in an address of our own, whatever characters it has."""

    regex = r"[\s\S]+?"
    part_isolating = False

    def to_url(self, value: str) -> str:
        return quote(value, safe="")


def register(app: Flask) -> None:
    """Serve every endpoint of the table, and answer for every address that nobody else serves."""
    app.url_map.converters.update(anything=Anything, id=AnyId)
    app.add_url_rule("/<anything:path>", view_func=serve, methods=METHODS, provide_automatic_options=False)
    app.register_error_handler(Refusal, lambda refusal: (jsonify(refusal.body()), refusal.status))
    app.register_error_handler(Missing, lambda missing: (jsonify({"message": str(missing)}), 404))
    app.register_error_handler(TooManyRequests, too_many_requests)


def serve(path: str) -> Response:
    addressed = ROUTING.find(request.method, segments_of(request.environ))
    if addressed is None:
        raise NotFound
    route, ids = addressed
    # The edge of the platform refuses a GET with a body before the API sees it (platform-api 1.1).
    if request.method == "GET" and (request.content_length or "Transfer-Encoding" in request.headers):
        return Response(EDGE_REFUSAL, status=403, mimetype="text/html")
    sandbox: Sandbox = current_app.extensions["sandbox"]
    caller, tenant = authenticate(sandbox)
    if sandbox.switches[STRICT_SCOPES]:
        check_scope(caller, route)
    sandbox.limits.count(bucket_of(route, caller), (caller.application.client_id, caller.source_id))
    if route.form:
        # Of a multipart body the platform reads nothing before it knows the object (platform-api 1.1).
        look_up(sandbox, tenant, ids)
    body = read_body(route)
    name = sandbox.own_name
    # One request is one change: either all of it is kept, with its events, or nothing.
    with sandbox.store.transaction():
        found = look_up(sandbox, tenant, ids)
        check_references(sandbox, tenant, body, route)
        call = Call(
            sandbox=sandbox,
            caller=caller,
            tenant=tenant,
            ids=ids,
            found=found,
            query=heard(request.args, route.parameters, name) if name.is_set else request.args,
            body=body,
            file=request.files.get(route.form.file) if route.form else None,
            host_url=request.host_url,
        )
        with sandbox.messages.quiet(unless=sandbox.switches[EVENTS_OF_CALLERS]):
            answer = route.handler(call)
        log_write(call, route, answer)
        if name.is_set and route.answers is not None:
            answer = spoken(answer, route.answers, name)
        return answered(answer, status=route.status)


def authenticate(sandbox: Sandbox) -> tuple[Caller, Tenant]:
    """Say who calls, and for which tenant. Raises a 401 for every token that does not live."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    caller = sandbox.grants.caller(token.strip()) if scheme.lower() == "bearer" else None
    tenant = sandbox.tenants.get(caller.tenant_id) if caller else None
    if caller is None or tenant is None or not is_at_home(caller.cell, request.environ[REGION]):
        raise Refusal(401, "Unauthorized")
    request.environ[CALLER].update(client_id=caller.application.client_id, source_id=caller.source_id)
    return caller, tenant


def check_scope(caller: Caller, route: Route) -> None:
    """Refuse tokens of the wrong kind of application, as the public reference says the platform does (7.1)."""
    if not route.sufficient_scopes & set(caller.scope.split()):
        raise Refusal(403, "Unauthorized")


def bucket_of(route: Route, caller: Caller) -> str:
    """Count a call in the endpoint's bucket; where scopes are enforced, an integration's documents are counted apart."""
    is_integration = bool(set(route.scopes) & set(INTEGRATION_SCOPES) & set(caller.scope.split()))
    return INTEGRATION if is_integration else route.bucket


def look_up(sandbox: Sandbox, tenant: Tenant, ids: Mapping[str, str]) -> dict[str, Json]:
    """Return what the placeholders of the path name, each one of the object before it. Raises Missing and a 404."""
    found: dict[str, Json] = {}
    for placeholder, name in ids.items():
        if placeholder == SLUG and name != tenant.slug_id:
            raise Refusal(404, f"Trust Center with slug: {name} not found")
        kind = BY_PLACEHOLDER.get(placeholder)
        if kind is not None:
            parent_id = found[kind.parent]["id"] if kind.parent in found else None
            found[placeholder] = sandbox.objects.named(tenant.id, kind, name, parent_id=parent_id)
    return found


def check_references(sandbox: Sandbox, tenant: Tenant, body: Json, route: Route) -> None:
    """Refuse a body that refers to an object the tenant does not have."""
    schema = route.form.schema if route.form else route.body or {}
    try:
        for kind, object_id in references(body, schema):
            sandbox.objects.get(tenant.id, kind, object_id)
    except Missing:
        raise unprocessable() from None


def read_body(route: Route) -> Json:
    """Read and check the body. Raises Invalid."""
    if route.form:
        return read_form(route.form)
    if route.body is None:
        return {}
    raw = request.get_data()
    if not raw and route.may_omit_body:
        return {}
    if not raw:
        raise Invalid.at("body", required("body"))
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
    if form.file:
        check_file(form)
    return values


def check_file(form: Form) -> None:
    file = request.files.get(form.file)
    if file is None or not file.filename:
        raise Invalid.at(f"body.{form.file}", required(form.file))
    if form.extensions and not file.filename.lower().endswith(form.extensions):
        raise Invalid.at(f"body.{form.file}", none_of(form.extensions), value=file.filename)


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
    sandbox: Sandbox = current_app.extensions["sandbox"]
    if sandbox.switches[RETRY_AFTER]:
        response.headers["Retry-After"] = str(error.retry_after)
    return response
