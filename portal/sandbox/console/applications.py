"""The developer console of the platform, as far as it is needed: secrets and redirect addresses."""

from flask import render_template, request, url_for

from portal.sandbox.applications import Application
from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.console.lookups import Answer, back_to, not_found, sandbox


@blueprint.get("/applications/")
def application_list() -> Answer:
    return render_template("console/applications.html", applications=sandbox().applications.all())


@blueprint.post("/applications/<client_id>/redirect-uris")
def add_redirect_uri(client_id: str) -> Answer:
    uri = request.form.get("redirect_uri", "").strip()
    try:
        sandbox().applications.add_redirect_uri(find_application(client_id).client_id, uri)
    except ValueError as problem:
        return back_to(url_for(".application_list"), str(problem), is_error=True)
    return back_to(url_for(".application_list"), f"{uri} may be used now.")


@blueprint.post("/applications/<client_id>/redirect-uris/remove")
def remove_redirect_uri(client_id: str) -> Answer:
    uri = request.form.get("redirect_uri", "")
    sandbox().applications.remove_redirect_uri(find_application(client_id).client_id, uri)
    return back_to(url_for(".application_list"), f"{uri} may not be used any more.")


@blueprint.post("/applications/<client_id>/secret")
def rotate_client_secret(client_id: str) -> Answer:
    sandbox().applications.rotate_secret(find_application(client_id).client_id)
    return back_to(url_for(".application_list"), "The secret was rotated. The old one is refused from now on.")


def find_application(client_id: str) -> Application:
    return sandbox().applications.get(client_id) or not_found("application")
