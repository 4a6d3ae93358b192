"""The sandbox as one WSGI application."""

from pathlib import Path

import requests
from flask import Flask, Response, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import escape
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from portal.sandbox.api import dispatch
from portal.sandbox.api.downloads import downloads
from portal.sandbox.changes.jobs import JOBS
from portal.sandbox.console import blueprint as console
from portal.sandbox.console.reference import openapi
from portal.sandbox.control.views import blueprint as control_calls
from portal.sandbox.oauth.authorize import blueprint as authorize
from portal.sandbox.oauth.token import blueprint as token
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.switches import STRICT_SCOPES, STRICT_TRANSITIONS
from portal.sandbox.wsgi import Edge

MAX_BODY_BYTES = 50 * 1024 * 1024
"""The platform documents no limit for uploads (platform-api U19)."""


def create_app(
    *,
    data_dir: Path | None = None,
    control: bool = False,
    strict_scopes: bool = False,
    strict_transitions: bool = False,
    http_session: requests.Session | None = None,
    portal_url: str = "",
) -> Flask:
    """Build the application. Without a folder its data lives in memory; `app.extensions["sandbox"]` is what it works with.

    Deliveries go through the given session; they leave when somebody calls `deliver_due()` or a server's threads do.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.url_map.merge_slashes = False
    app.json.sort_keys = False  # type: ignore[attr-defined] # Flask's own JSON provider has it
    sandbox = Sandbox(
        data_dir=data_dir,
        switches={STRICT_SCOPES: strict_scopes, STRICT_TRANSITIONS: strict_transitions},
        http_session=http_session,
        jobs=JOBS,
        portal_url=portal_url,
    )
    app.extensions["sandbox"] = sandbox
    dispatch.register(app)
    for blueprint in (authorize, token, downloads, console):
        app.register_blueprint(blueprint)
    if control:
        app.register_blueprint(control_calls)
    app.register_error_handler(HTTPException, refuse)
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/", view_func=home)
    app.add_url_rule("/openapi.json", view_func=openapi)
    app.wsgi_app = Edge(app.wsgi_app, sandbox)  # type: ignore[method-assign] # Flask's own way to wrap an application
    return app


def healthz() -> Response:
    return jsonify({"status": "ok"})


def home() -> AnyResponse:
    return redirect("/console/")


def refuse(error: HTTPException) -> ResponseReturnValue | HTTPException:
    """Answer unknown routes as the platform does, with HTML (platform-api 1.4); other errors keep their status."""
    if error.response is not None or request.path.startswith("/console"):
        return error
    if error.code in {404, 405}:
        text = f"<!doctype html><title>Error</title><pre>Cannot {escape(request.method)} {escape(request.path)}</pre>"
        return Response(text, status=404, mimetype="text/html")
    return jsonify({"message": error.description or error.name}), error.code or 500
