"""The objects of a tenant as the API gives them, and the few things that happen in the platform's own application.

Every button runs the function the API runs, so the same events fire.
"""

import json

from flask import render_template, request, url_for
from werkzeug.wrappers import Response

from portal.sandbox.changes import access_requests, questionnaires, responses
from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.console.lookups import Answer, back_to, find_object, find_tenant, not_found, sandbox
from portal.sandbox.console.paging import page_url, read_page
from portal.sandbox.console.vocabulary import columns_of, title_of
from portal.sandbox.kinds import BY_PLACEHOLDER, KINDS, Kind
from portal.sandbox.kinds.questionnaires import STATUSES
from portal.sandbox.objects import Clause
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant


@blueprint.get("/tenants/<tenant_id>/objects/<kind>/")
def object_list(tenant_id: str, kind: str) -> Answer:
    tenant = find_tenant(tenant_id)
    shown = KINDS.get(kind) or not_found("kind of object")
    query, parent_id = request.args.get("q", "").strip(), request.args.get("parent")
    page = read_page(
        lambda limit, offset: sandbox().objects.all(
            tenant.id,
            kind,
            parent_id=parent_id,
            where=[containing(query)] if query else [],
            oldest_first=kind == "responses",
            limit=limit,
            offset=offset,
        )
    )
    return render_template(
        "console/objects.html",
        tenant=tenant,
        kind=kind,
        kind_name=shown.plural,
        columns=columns_of(shown),
        page=page,
        page_url=page_url,
        query=query,
        parent=parent_of(tenant, shown, parent_id),
    )


def parent_of(tenant: Tenant, kind: Kind, parent_id: str | None) -> Json | None:
    """Find what objects of a kind belong to, with its kind and its title."""
    parent_kind = BY_PLACEHOLDER.get(kind.parent)
    if parent_id is None or parent_kind is None:
        return None
    found = find_object(tenant, parent_kind.name, parent_id)
    return {"id": parent_id, "kind": parent_kind.name, "title": title_of(parent_kind, found)}


def containing(text: str) -> Clause:
    """Match objects with a text anywhere in them. Bodies are kept as JSON, so the text is looked for as JSON writes it."""
    as_json = json.dumps(text)[1:-1]
    pattern = "".join(f"!{letter}" if letter in "!%_" else letter for letter in as_json)
    return Clause(sql="body LIKE ? ESCAPE '!'", values=(f"%{pattern}%",))


@blueprint.get("/tenants/<tenant_id>/objects/<kind>/<id:object_id>/")
def object_page(tenant_id: str, kind: str, object_id: str) -> Answer:
    tenant = find_tenant(tenant_id)
    shown = KINDS.get(kind) or not_found("kind of object")
    found = find_object(tenant, kind, object_id)
    parent_id = sandbox().objects.parent_of(tenant.id, kind, object_id)
    return render_template(
        "console/object.html",
        tenant=tenant,
        kind=kind,
        kind_name=shown.plural,
        object=found,
        title=title_of(shown, found),
        statuses=STATUSES,
        parent=parent_of(tenant, shown, parent_id),
    )


@blueprint.post("/tenants/<tenant_id>/questionnaires/<id:questionnaire_id>/status")
def change_status(tenant_id: str, questionnaire_id: str) -> Answer:
    tenant, status = find_tenant(tenant_id), request.form.get("status", "")
    if status not in STATUSES:
        not_found("status")
    find_object(tenant, "questionnaires", questionnaire_id)
    with sandbox().store.transaction():
        questionnaires.change_status(sandbox(), tenant.id, questionnaire_id, status=status, actor=console_actor(tenant))
    return shown_again(tenant, "questionnaires", questionnaire_id, message=f"The status is {status} now.")


@blueprint.post("/tenants/<tenant_id>/questionnaires/<id:questionnaire_id>/delete")
def delete_questionnaire(tenant_id: str, questionnaire_id: str) -> Answer:
    tenant = find_tenant(tenant_id)
    find_object(tenant, "questionnaires", questionnaire_id)
    with sandbox().store.transaction():
        questionnaires.delete(sandbox(), tenant.id, questionnaire_id)
    address = url_for(".object_list", tenant_id=tenant.id, kind="questionnaires")
    return back_to(address, "The questionnaire was deleted.")


@blueprint.post("/tenants/<tenant_id>/responses/<id:response_id>/approve")
def approve_response(tenant_id: str, response_id: str) -> Answer:
    tenant = find_tenant(tenant_id)
    find_object(tenant, "responses", response_id)
    with sandbox().store.transaction():
        responses.approve(sandbox(), tenant, response_id)
    return shown_again(tenant, "responses", response_id, message="The response was approved.")


@blueprint.post("/tenants/<tenant_id>/access-requests/")
def add_access_request(tenant_id: str) -> Answer:
    tenant = find_tenant(tenant_id)
    person = {name: request.form.get(name, "").strip() for name in ("name", "email", "companyName")}
    reason = request.form.get("reason", "").strip()
    if not all(person.values()) or "@" not in person["email"] or not reason:
        address = url_for(".tenant_page", tenant_id=tenant.id)
        return back_to(address, "An access request needs a name, an address, a company and a reason.", is_error=True)
    with sandbox().store.transaction():
        added = access_requests.receive(sandbox(), tenant, person=person, reason=reason, resource_ids=None)
    if not sandbox().objects.has(tenant.id, access_requests.OPEN, added["id"]):
        message = "The access request was approved by its account."
        return shown_again(tenant, access_requests.HISTORICAL, added["id"], message=message)
    return shown_again(tenant, access_requests.OPEN, added["id"], message="The access request was received.")


@blueprint.post("/tenants/<tenant_id>/access-requests/<id:access_request_id>/decision")
def decide_access_request(tenant_id: str, access_request_id: str) -> Answer:
    tenant, decision = find_tenant(tenant_id), request.form.get("decision")
    find_object(tenant, "access-requests", access_request_id)
    with sandbox().store.transaction():
        if decision == "approve":
            access_requests.approve(sandbox(), tenant, access_request_id)
        elif decision == "deny":
            access_requests.deny(sandbox(), tenant, access_request_id)
        else:
            not_found("decision")
    words = {"approve": "The access request was approved.", "deny": "The access request was denied."}[decision]
    return shown_again(tenant, "historical-access-requests", access_request_id, message=words)


def console_actor(tenant: Tenant) -> Json:
    """Return the user of the tenant who presses the console's buttons: the first one."""
    user = sandbox().objects.all(tenant.id, "users", oldest_first=True, limit=1)[0]
    return {name: user[name] for name in ("id", "displayName", "email")}


def shown_again(tenant: Tenant, kind: str, object_id: str, *, message: str) -> Response:
    return back_to(url_for(".object_page", tenant_id=tenant.id, kind=kind, object_id=object_id), message)
