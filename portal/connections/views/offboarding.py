import tempfile

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.connections import services
from portal.connections.forms import DeleteTenantForm, DisconnectForm
from portal.connections.services import exit_records
from portal.connections.tasks import LEAVE, SERVE
from portal.connections.views.pages import connection_page
from portal.lib.enqueue import enqueue_on_commit
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

IN_MEMORY = 8 * 1024 * 1024


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def export(request: TenantRequest) -> HttpResponseBase:
    """Everything the tenant has here, as one file to take along."""
    target = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    services.export_tenant(target, actor=request.user)
    target.seek(0)
    name = f"{request.tenant.slug}-{timezone.localdate():%Y-%m-%d}.zip"
    return FileResponse(target, as_attachment=True, filename=name)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def disconnect(request: TenantRequest) -> HttpResponse:
    """End the grant, and say what becomes of the copy."""
    connection = services.connection_of_tenant()
    form = DisconnectForm(request.POST, tenant=request.tenant, connection=connection)
    if not form.is_valid():
        return connection_page(request, disconnect_form=form, status=422)
    if connection is not None:
        services.disconnect(connection, actor=request.user, purge_at=form.purge_at)
        enqueue_on_commit(SERVE)
        enqueue_on_commit(LEAVE)
    messages.success(request, "Disconnected. The portal no longer holds a token.")
    return redirect("connections:connection", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def delete_tenant(request: TenantRequest) -> HttpResponse:
    """Close the tenant for good, by the same door."""
    form = DeleteTenantForm(request.POST, tenant=request.tenant, prefix="delete")
    if not form.is_valid():
        return connection_page(request, delete_form=form, status=422)
    services.delete_tenant(request.tenant, actor=request.user)
    enqueue_on_commit(SERVE)
    enqueue_on_commit(LEAVE)
    messages.success(
        request, f"{request.tenant} is deleted. Its data is removed once the platform confirms that access has ended."
    )
    return redirect("home")


@require_GET
@tenant_view(Role.ADMIN)
def exit_record(request: TenantRequest, reference: str) -> HttpResponse:
    """The record of one exit: on a page, or as the signed file itself."""
    found = next((each for each in exit_records.records() if each.reference == reference), None)
    if found is None:
        raise Http404("no such record of this tenant")
    if request.GET.get("format") == "json":
        answer = JsonResponse({"content": found.content, "signature": found.signature}, json_dumps_params={"indent": 2})
        answer["Content-Disposition"] = f'attachment; filename="exit-{found.reference}.json"'
        return answer
    context = {"record": found, "is_genuine": exit_records.is_genuine(found)}
    return render(request, "connections/exit_record.html", context)
