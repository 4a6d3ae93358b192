"""Webhook endpoints, their message history, and sending again."""

from datetime import UTC, datetime, timedelta

from flask import render_template, request, url_for

from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.console.lookups import Answer, back_to, find_endpoint, find_tenant, not_found, sandbox
from portal.sandbox.console.paging import page_url, read_page
from portal.sandbox.webhooks.catalogue import EVENT_TYPES
from portal.sandbox.webhooks.endpoints import Endpoint
from portal.sandbox.webhooks.messages import Message

FORM_MOMENT = "%Y-%m-%dT%H:%M"


@blueprint.get("/tenants/<tenant_id>/endpoints/")
def endpoint_list(tenant_id: str) -> Answer:
    tenant = find_tenant(tenant_id)
    endpoints = sandbox().endpoints.all(tenant.id)
    return render_template("console/endpoints.html", tenant=tenant, endpoints=endpoints, event_types=EVENT_TYPES)


@blueprint.post("/tenants/<tenant_id>/endpoints/")
def add_endpoint(tenant_id: str) -> Answer:
    tenant = find_tenant(tenant_id)
    url, event_types = request.form.get("url", "").strip(), request.form.getlist("event_types")
    try:
        endpoint = sandbox().endpoints.create(tenant.id, url=url, event_types=event_types)
    except ValueError as problem:
        return back_to(url_for(".endpoint_list", tenant_id=tenant.id), str(problem), is_error=True)
    return back_to(here(endpoint.id), "The endpoint was added. Copy its signing secret to the receiver.")


@blueprint.get("/endpoints/<endpoint_id>/")
def endpoint_page(endpoint_id: str) -> Answer:
    endpoint = find_endpoint(endpoint_id)
    now = sandbox().clock.now()
    page = read_page(lambda limit, offset: sandbox().messages.history(endpoint.id, limit=limit, offset=offset))
    return render_template(
        "console/endpoint.html",
        tenant=find_tenant(endpoint.tenant_id),
        endpoint=endpoint,
        event_types=EVENT_TYPES,
        page=page,
        page_url=page_url,
        recover_since=(now - timedelta(days=1)).strftime(FORM_MOMENT),
        recover_until=(now + timedelta(minutes=1)).strftime(FORM_MOMENT),
    )


@blueprint.post("/endpoints/<endpoint_id>/secret")
def rotate_secret(endpoint_id: str) -> Answer:
    sandbox().endpoints.rotate_secret(find_endpoint(endpoint_id).id)
    return back_to(here(endpoint_id), "The secret was rotated. For a day both secrets sign.")


@blueprint.post("/endpoints/<endpoint_id>/state")
def switch_endpoint(endpoint_id: str) -> Answer:
    disabled = request.form.get("disabled") == "yes"
    sandbox().endpoints.update(find_endpoint(endpoint_id).id, disabled=disabled)
    sandbox().bell.ring()
    return back_to(here(endpoint_id), "The endpoint is disabled." if disabled else "The endpoint is enabled.")


@blueprint.post("/endpoints/<endpoint_id>/delete")
def delete_endpoint(endpoint_id: str) -> Answer:
    endpoint = find_endpoint(endpoint_id)
    sandbox().endpoints.delete(endpoint.id)
    return back_to(url_for(".endpoint_list", tenant_id=endpoint.tenant_id), "The endpoint was deleted.")


@blueprint.post("/endpoints/<endpoint_id>/example")
def send_example(endpoint_id: str) -> Answer:
    event_type = request.form.get("type", "")
    if event_type not in EVENT_TYPES:
        not_found("event type")
    sandbox().messages.send_example(find_endpoint(endpoint_id).id, event_type)
    return back_to(here(endpoint_id), f"An example of {event_type} is on its way.")


@blueprint.post("/endpoints/<endpoint_id>/recover")
def recover(endpoint_id: str) -> Answer:
    """Send again what was missed between two moments, given as the browser's form writes them, in UTC."""
    endpoint = find_endpoint(endpoint_id)
    try:
        since, until = (form_moment(request.form.get(name, "")) for name in ("since", "until"))
    except ValueError:
        return back_to(here(endpoint_id), "Give both moments of the range.", is_error=True)
    count = sandbox().messages.recover(endpoint.id, since=since.timestamp(), until=until.timestamp())
    return back_to(here(endpoint_id), f"{count} messages are being sent again.")


@blueprint.get("/endpoints/<endpoint_id>/messages/<message_id>/")
def message_page(endpoint_id: str, message_id: str) -> Answer:
    endpoint = find_endpoint(endpoint_id)
    return render_template(
        "console/message.html",
        tenant=find_tenant(endpoint.tenant_id),
        endpoint=endpoint,
        message=find_message(endpoint, message_id),
    )


@blueprint.post("/endpoints/<endpoint_id>/messages/<message_id>/resend")
def resend(endpoint_id: str, message_id: str) -> Answer:
    message = find_message(find_endpoint(endpoint_id), message_id)
    sandbox().messages.resend(endpoint_id, message.hook_id)
    address = url_for(".message_page", endpoint_id=endpoint_id, message_id=message_id)
    return back_to(address, "The message is being sent again.")


def here(endpoint_id: str) -> str:
    return url_for(".endpoint_page", endpoint_id=endpoint_id)


def form_moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def find_message(endpoint: Endpoint, message_id: str) -> Message:
    """Find a message of an endpoint by its place in the history."""
    row = sandbox().store.row(
        "SELECT count(*) AS place FROM deliveries WHERE endpoint_id = ?1 AND id > "
        "(SELECT id FROM deliveries WHERE endpoint_id = ?1 AND message_id = ?2)",
        endpoint.id,
        message_id,
    )
    found = sandbox().messages.history(endpoint.id, limit=1, offset=row["place"]) if row else []
    return next((message for message in found if message.hook_id == message_id), None) or not_found("message")
