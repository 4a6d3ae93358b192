"""The consent screen (specification 4.6, 5; platform-api 2.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from flask import Blueprint, Response, current_app, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from portal.sandbox.applications import PUBLIC, Application
from portal.sandbox.console import render_consent, render_error
from portal.sandbox.regions import REGION
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant

blueprint = Blueprint("authorize", __name__)


class Unanswerable(Exception):
    """The request is wrong in a way that must not send the browser anywhere."""


@dataclass(frozen=True, kw_only=True)
class AuthorizationRequest:
    """What an application asks a person to agree to."""

    application: Application
    scope: str
    state: str
    redirect_uri: str
    source_id: str

    def back(self, **answer: str) -> AnyResponse:
        """Send the browser back with an answer and the unchanged state; the address keeps its own query."""
        parts = urlsplit(self.redirect_uri)
        query = "&".join(filter(None, [parts.query, urlencode({**answer, "state": self.state})]))
        return redirect(urlunsplit(parts._replace(query=query)), 302)


@blueprint.route("/oauth/authorize", methods=["GET", "POST"])
def authorize() -> AnyResponse | str:
    sandbox: Sandbox = current_app.extensions["sandbox"]
    try:
        asked = read_request(sandbox, request.args)
    except Unanswerable as problem:
        return error_page(str(problem))
    if not asked.application.may_request(asked.scope):
        return asked.back(error="invalid_scope", error_description="A scope is not allowed for this type of application.")
    if request.method == "GET":
        return consent_page(sandbox, asked)
    return decide(sandbox, asked)


def read_request(sandbox: Sandbox, query: Mapping[str, str]) -> AuthorizationRequest:
    """Check who asks and where the answer would go, before anything else. Raises Unanswerable."""
    application = sandbox.applications.get(query.get("client_id", ""))
    if application is None or application.type != PUBLIC:
        raise Unanswerable("No public integration is registered with this client_id.")
    redirect_uri = query.get("redirect_uri", "")
    if redirect_uri not in application.redirect_uris:
        raise Unanswerable("The redirect_uri is not registered for this application.")
    if query.get("response_type") != "code":
        raise Unanswerable("The response_type must be code.")
    missing = [name for name in ("scope", "state", "source_id") if not query.get(name)]
    if missing:
        raise Unanswerable(f"The request lacks {', '.join(missing)}.")
    return AuthorizationRequest(
        application=application,
        scope=query["scope"],
        state=query["state"],
        redirect_uri=redirect_uri,
        source_id=query["source_id"],
    )


def consent_page(sandbox: Sandbox, asked: AuthorizationRequest) -> str:
    application = {"name": asked.application.name, "client_id": asked.application.client_id}
    here = [tenant for tenant in sandbox.tenants.all() if is_in_region(tenant)]
    tenants = [{"id": tenant.id, "name": tenant.name, "region": tenant.region} for tenant in here]
    return render_consent(
        application=application,
        tenants=tenants,
        scopes=asked.scope.split(),
        redirect_uri=asked.redirect_uri,
        region=request.environ[REGION],
    )


def decide(sandbox: Sandbox, asked: AuthorizationRequest) -> AnyResponse:
    """Carry out what the person pressed. Nobody signs in here: whoever can open a sandbox may decide."""
    decision = request.form.get("decision")
    if decision == "deny":
        return asked.back(error="access_denied", error_description="The person refused the connection.")
    tenant = sandbox.tenants.get(request.form.get("tenant_id", ""))
    if decision != "allow" or tenant is None:
        return error_page("Choose an organization and allow or refuse.")
    if not is_in_region(tenant):
        return error_page("This organization lives in another region. Go back to the application and choose its region there.")
    code = sandbox.grants.issue_code(
        asked.application.client_id,
        redirect_uri=asked.redirect_uri,
        source_id=asked.source_id,
        tenant_id=tenant.id,
        scope=asked.scope,
        region=request.environ[REGION],
    )
    return asked.back(code=code)


def is_in_region(tenant: Tenant) -> bool:
    """Say whether the app host that was called is of the tenant's region; the bare address is of every region."""
    return request.environ[REGION] in ("", tenant.region)


def error_page(text: str) -> Response:
    return Response(render_error(title="This connection cannot be made", text=text), status=400, mimetype="text/html")
