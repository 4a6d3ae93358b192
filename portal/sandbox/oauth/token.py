"""The token endpoint and the suspension of tokens (specification 4.4, 4.5, 5, 7)."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request

from portal.sandbox.applications import PUBLIC, Application
from portal.sandbox.limits import TOKEN
from portal.sandbox.oauth.grants import ACCESS_SECONDS, InvalidGrant, NotOurs, Tokens
from portal.sandbox.regions import GOV, REGION
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.wsgi import CALLER

blueprint = Blueprint("token", __name__)

type Fields = dict[str, Any]


class Refused(Exception):
    """An error answer in the form of OAuth 2.0."""

    def __init__(self, error: str, description: str, *, status: int = 400) -> None:
        super().__init__(description)
        self.error = error
        self.status = status


@blueprint.errorhandler(Refused)
def refused(problem: Refused) -> Response:
    answer = jsonify({"error": problem.error, "error_description": str(problem)})
    answer.status_code = problem.status
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.post("/oauth/token")
@blueprint.post("/v1/oauth/token")
def token() -> Response:
    """Issue or refresh tokens."""
    sandbox, body = counted_body()
    grant_type = text(body, "grant_type")
    handler = HANDLERS.get(grant_type)
    if handler is None:
        raise Refused("unsupported_grant_type", "The grant_type is unknown.")
    application = authenticated(sandbox, body)
    if (application.type == PUBLIC) == (grant_type == "client_credentials"):
        raise Refused("unauthorized_client", "This type of application cannot use this grant_type.")
    try:
        tokens = handler(sandbox, application, body)
    except InvalidGrant as problem:
        raise Refused("invalid_grant", str(problem)) from None
    answer: Fields = {
        "access_token": tokens.access_token,
        "expires_in": ACCESS_SECONDS,
        "token_type": "Bearer",
    }
    if tokens.refresh_token:
        answer["refresh_token"] = tokens.refresh_token
    response = jsonify(answer)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.post("/oauth/token/suspend")
@blueprint.post("/v1/oauth/token/suspend")
def suspend() -> Response:
    """End a grant; 200 also when it had ended before (specification 4.5)."""
    sandbox, body = counted_body()
    application = authenticated(sandbox, body)
    try:
        sandbox.grants.suspend(application.client_id, token=text(body, "token"), region=request.environ[REGION])
    except NotOurs:
        raise Refused("invalid_token", "The token does not belong to this application.", status=401) from None
    return jsonify({"message": "The token is revoked."})


def counted_body() -> tuple[Sandbox, Fields]:
    """Count the request, whatever it holds, and read its JSON object; form-encoded bodies are not accepted."""
    sandbox: Sandbox = current_app.extensions["sandbox"]
    # The government's platform is another one, with a limit of its own.
    sandbox.limits.count(TOKEN, GOV if request.environ[REGION] == GOV else None)
    body = request.get_json(silent=True) if request.mimetype == "application/json" else None
    if not isinstance(body, dict):
        raise Refused("invalid_request", "The body must be a JSON object, sent as application/json.")
    return sandbox, body


def authenticated(sandbox: Sandbox, body: Fields) -> Application:
    application = sandbox.applications.authenticate(text(body, "client_id"), text(body, "client_secret"))
    if application is None:
        raise Refused("invalid_client", "The client_id or client_secret is wrong.", status=401)
    request.environ[CALLER]["client_id"] = application.client_id
    return application


def text(body: Fields, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise Refused("invalid_request", f"{name} is required and must be a string.")
    return value


def exchange(sandbox: Sandbox, application: Application, body: Fields) -> Tokens:
    source_id = text(body, "source_id")
    request.environ[CALLER]["source_id"] = source_id
    return sandbox.grants.exchange(
        application.client_id,
        code=text(body, "code"),
        redirect_uri=text(body, "redirect_uri"),
        source_id=source_id,
        region=request.environ[REGION],
    )


def refresh(sandbox: Sandbox, application: Application, body: Fields) -> Tokens:
    refresh_token, region = text(body, "refresh_token"), request.environ[REGION]
    tokens = sandbox.grants.refresh(application.client_id, refresh_token=refresh_token, region=region)
    caller = sandbox.grants.caller(tokens.access_token)
    request.environ[CALLER]["source_id"] = caller.source_id if caller else None
    return tokens


def issue(sandbox: Sandbox, application: Application, body: Fields) -> Tokens:
    scope = text(body, "scope")
    if not application.may_request(scope):
        raise Refused("invalid_scope", "A scope is not allowed for this type of application.")
    region, tenant = request.environ[REGION], sandbox.tenants.get(sandbox.grants.tenant_of(application.tenant_id))
    if region and tenant and tenant.region != region:
        # Only the government's API host comes this far with a region, and it knows its own applications only.
        raise Refused("invalid_client", "The client_id or client_secret is wrong.", status=401)
    return sandbox.grants.issue(application, scope=scope, region=region)


HANDLERS: dict[str, Callable[[Sandbox, Application, Fields], Tokens]] = {
    "authorization_code": exchange,
    "refresh_token": refresh,
    "client_credentials": issue,
}
