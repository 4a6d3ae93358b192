"""Pages outside the console that people see: the consent page, and an error page. Called while a request is answered."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import render_template
from werkzeug.exceptions import HTTPException

from portal.sandbox.console.blueprint import blueprint

SCOPE_WORDS = {
    "connectors.self:read-resource": "read the resources it has sent itself",
    "connectors.self:write-resource": "send resources to your organization",
    "self:read-document": "list your documents",
    "self:write-document": "upload files to your documents",
    "svc-api.all:read": "read everything in your organization",
    "svc-api.all:write": "change everything in your organization",
    "svc-api.documents:upload": "upload files to your documents",
    "auditor-api.audit:read": "read the audits",
    "auditor-api.audit:write": "change the audits",
    "auditor-api.auditor:read": "read the auditors",
    "auditor-api.auditor:write": "change the auditors",
}
"""The scopes of the specification's section 5, in words a person can decide on."""

REGION_NAMES = {"us": "United States", "eu": "Europe", "au": "Australia", "gov": "US government"}


def render_consent(
    *,
    application: Mapping[str, Any],
    tenants: Sequence[Mapping[str, Any]],
    scopes: Sequence[str],
    redirect_uri: str,
    region: str,
) -> str:
    """Draw the page that asks a person to allow or refuse. Its form posts to the address it was fetched from."""
    in_words = [(scope, SCOPE_WORDS.get(scope, "use this permission")) for scope in scopes]
    return render_template(
        "console/consent.html",
        application=application,
        tenants=tenants,
        scopes=in_words,
        redirect_uri=redirect_uri,
        region=region,
        region_names=REGION_NAMES,
    )


def render_error(*, title: str, text: str) -> str:
    """Draw a page that says what is wrong."""
    return render_template("console/error.html", title=title, text=text)


@blueprint.errorhandler(HTTPException)
def explain(error: HTTPException) -> tuple[str, int]:
    """Answer a refused request of the console with a page."""
    return render_error(title=error.name, text=error.description or ""), error.code or 500
