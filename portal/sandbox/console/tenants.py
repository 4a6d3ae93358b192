"""The tenants, one tenant, and what a person can make happen in one."""

from flask import render_template, request, url_for

from portal.sandbox.api.errors import Refusal
from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.console.lookups import Answer, back_to, find_tenant, sandbox
from portal.sandbox.control.events import HAPPENINGS, happen
from portal.sandbox.kinds import AREAS, KINDS
from portal.sandbox.tenants import REGIONS

COUNTED_KINDS = ("questionnaires", "access-requests", "viewers", "contracts")
MAX_COUNT = 2000
"""A person waits while the page makes the data. The control call for tests has no such limit."""


@blueprint.get("/")
def tenant_list() -> Answer:
    here = sandbox()
    tenants = [
        {
            "tenant": tenant,
            "counts": here.objects.counts(tenant.id),
            "endpoint_count": len(here.endpoints.all(tenant.id)),
        }
        for tenant in here.tenants.all()
    ]
    return render_template(
        "console/tenants.html",
        tenants=tenants,
        counted_kinds=COUNTED_KINDS,
        kinds=KINDS,
        most=MAX_COUNT,
        regions=REGIONS,
    )


@blueprint.post("/tenants/")
def create_tenant() -> Answer:
    name, region = request.form.get("name", "").strip(), request.form.get("region", "")
    counts = {kind: request.form.get(kind.replace("-", "_"), "0") for kind in (*COUNTED_KINDS, "seed")}
    if not name or region not in REGIONS or not all(count.isdecimal() and int(count) <= MAX_COUNT for count in counts.values()):
        return back_to(url_for(".tenant_list"), f"A tenant needs a name, and counts up to {MAX_COUNT:,}.", is_error=True)
    numbers = {kind.replace("-", "_"): int(count) for kind, count in counts.items()}
    tenant = sandbox().tenants.create(name, region=region, **numbers)
    return back_to(url_for(".tenant_page", tenant_id=tenant.id), f"{tenant.name} was created.")


@blueprint.get("/tenants/<tenant_id>/")
def tenant_page(tenant_id: str) -> Answer:
    tenant, here = find_tenant(tenant_id), sandbox()
    counts = here.objects.counts(tenant.id)
    areas = [(name, [(kind.name, kind.plural, counts[kind.name]) for kind in kinds]) for name, kinds in AREAS.items()]
    return render_template(
        "console/tenant.html",
        tenant=tenant,
        areas=areas,
        grants=here.grants.living(tenant.id),
        event_types=[*HAPPENINGS],
        endpoint_count=len(here.endpoints.all(tenant.id)),
    )


@blueprint.post("/tenants/<tenant_id>/grants/<int:grant_id>/revoke")
def revoke_grant(tenant_id: str, grant_id: int) -> Answer:
    """End a connection from the tenant's side, as an admin of the tenant could in the platform."""
    tenant, here = find_tenant(tenant_id), sandbox()
    if grant_id in {grant["id"] for grant in here.grants.living(tenant.id)}:
        here.grants.revoke(grant_id)
    return back_to(url_for(".tenant_page", tenant_id=tenant.id), "The connection was ended; its tokens are dead.")


@blueprint.post("/tenants/<tenant_id>/events")
def make_event(tenant_id: str) -> Answer:
    """Make the change that an event stands for; the event follows from it."""
    tenant, event_type = find_tenant(tenant_id), request.form.get("type", "")
    address = url_for(".tenant_page", tenant_id=tenant.id)
    try:
        with sandbox().store.transaction():
            happen(sandbox(), tenant, event_type)
    except Refusal as problem:
        return back_to(address, str(problem), is_error=True)
    return back_to(address, f"It happened: {event_type} is on its way.")
