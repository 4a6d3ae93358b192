from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from portal.connections import services
from portal.connections.form_actions import save_trust_center
from portal.connections.forms import SecretForm, TrustCenterForm
from portal.connections.models import Connection
from portal.connections.tasks import PROBE, SERVE
from portal.connections.views.pages import AREAS, connection_page
from portal.connections.views.refusals import own_application_error
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import area_version, is_unchanged
from portal.platform_api.errors import PlatformError
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def connection(request: TenantRequest) -> HttpResponse:
    """The grant in words, with one main button per state. The status part polls this address while it is open."""
    if request.htmx and is_unchanged(request, area_version(*AREAS)):
        return HttpResponse(status=204)
    return connection_page(request)


@require_POST
@tenant_view(Role.ANALYST)
def check(request: TenantRequest) -> HttpResponse:
    """Have the platform asked now whether the grant works and what it covers."""
    _connected(request)
    if services.request_check():
        enqueue_on_commit(PROBE, request.tenant.pk)
        messages.success(request, "Checking with the platform. Results appear here as they arrive.")
    else:
        messages.info(request, "Nothing to check: it was checked a moment ago, or is not connected.")
    return redirect("connections:connection", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.OWNER)
def confirm(request: TenantRequest) -> HttpResponse:
    """The owner means the account that was connected."""
    try:
        services.confirm(_connected(request), grant=request.POST.get("grant", ""), actor=request.user)
    except services.AlreadyAnswered as error:
        messages.info(request, str(error))
        return redirect("connections:connection", slug=request.tenant.slug)
    enqueue_on_commit(PROBE, request.tenant.pk)
    messages.success(request, "Confirmed. The first copy of your work is on its way.")
    return redirect("first_hour:connected", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.OWNER)
def reject(request: TenantRequest) -> HttpResponse:
    """The owner does not mean the account that was connected: its grant is ended."""
    try:
        services.reject(_connected(request), grant=request.POST.get("grant", ""), actor=request.user)
    except services.AlreadyAnswered as error:
        messages.info(request, str(error))
    else:
        enqueue_on_commit(SERVE)
        messages.success(request, "Rejected. That account's access is being ended. Connect the right account now.")
    return redirect("connections:connection", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def rotate_secret(request: TenantRequest) -> HttpResponse:
    """Take a new secret of the tenant's own application into use."""
    connection = _connected(request)
    if not (connection.is_own_application and connection.client_id):
        raise Http404("this tenant has no application of its own")
    form = SecretForm(request.POST)
    if form.is_valid():
        try:
            services.rotate_secret(connection, form.cleaned_data["client_secret"], actor=request.user)
        except PlatformError as error:
            form.add_error("client_secret", own_application_error(error))
        else:
            messages.success(request, "The new secret is in use.")
            return redirect("connections:connection", slug=request.tenant.slug)
    return connection_page(request, secret_form=form, status=422)


@require_POST
@tenant_view(Role.ADMIN)
def set_trust_center(request: TenantRequest) -> HttpResponse:
    _connected(request)
    form = TrustCenterForm(request.POST)
    if save_trust_center(request, form):
        return redirect("connections:connection", slug=request.tenant.slug)
    return connection_page(request, trust_center_form=form, status=422)


def _connected(request: TenantRequest) -> Connection:
    connection = services.connection_of_tenant()
    if connection is None:
        raise Http404("this tenant was never connected")
    return connection
