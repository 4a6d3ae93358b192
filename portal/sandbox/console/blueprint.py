"""The blueprint all console pages belong to, and what guards them: a token against forged forms, a content policy."""

import secrets
from hmac import compare_digest
from typing import Any

from flask import Blueprint, Response, abort, request
from flask.blueprints import BlueprintSetupState

blueprint = Blueprint("console", __name__, url_prefix="/console", template_folder="templates", static_folder="static")

FORM_TOKEN = secrets.token_urlsafe(32)
"""A page of another site cannot read it, so it cannot make a person's browser press a button here."""
COOKIE = "sandbox_console"

CONTENT_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
"""The consent page posts to itself and is sent on to another site, so only the console adds form-action."""

NAVIGATION = (
    ("Tenants", "console.tenant_list"),
    ("Applications", "console.application_list"),
    ("Requests", "console.request_list"),
    ("Faults", "console.fault_list"),
    ("Clock", "console.clock_page"),
    ("API", "console.reference_page"),
)


@blueprint.record_once
def sign_messages(state: BlueprintSetupState) -> None:
    """Prepare the cookie that carries a message to the next page; its key only has to live as long as the process."""
    state.app.secret_key = state.app.secret_key or secrets.token_bytes(32)
    # Cookies know no port: the portal on the same host must never be sent this one, nor overwrite it.
    state.app.config.update(SESSION_COOKIE_NAME="sandbox_messages", SESSION_COOKIE_PATH=blueprint.url_prefix)


@blueprint.before_request
def refuse_forged_forms() -> None:
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    sent = request.form.get("csrf_token", ""), request.cookies.get(COOKIE, "")
    if not all(compare_digest(token.encode(), FORM_TOKEN.encode()) for token in sent):
        abort(403, "This page is out of date. Open it again, then press the button once more.")


@blueprint.context_processor
def page_context() -> dict[str, Any]:
    return {"csrf_token": FORM_TOKEN}


@blueprint.app_context_processor
def navigation_context() -> dict[str, Any]:
    return {"navigation": NAVIGATION, "area": request.endpoint}


@blueprint.after_request
def protect_page(response: Response) -> Response:
    response.set_cookie(COOKIE, FORM_TOKEN, httponly=True, samesite="Strict", path=blueprint.url_prefix)
    response.headers["Content-Security-Policy"] = f"{CONTENT_POLICY}; form-action 'self'"
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.after_app_request
def restrict_content(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
    return response
