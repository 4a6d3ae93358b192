from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.first_hour import services
from portal.first_hour.selectors import first_hour
from portal.page_refresh.services import is_unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.ADMIN)
def strip(request: TenantRequest) -> HttpResponse:
    """The strip of Today by itself, which polls this address while it is open."""
    hour = first_hour()
    if is_unchanged(request, hour.page_version):
        return HttpResponse(status=204)
    return render(request, "first_hour/_strip.html", {"hour": hour})


@require_POST
@tenant_view(Role.ADMIN)
def dismiss(request: TenantRequest) -> HttpResponse:
    try:
        services.dismiss(request.membership)
    except services.NotConnected:
        messages.error(request, "Connect the platform first. Then you can dismiss the other steps.")
    else:
        messages.success(request, "Setup dismissed. Everything in it is under Settings.")
    return redirect("today:today", slug=request.tenant.slug)
