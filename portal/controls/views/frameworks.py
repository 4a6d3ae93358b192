from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from portal.controls import selectors, services
from portal.controls.filters import BY_NAME, CompanyFrameworkFilters
from portal.controls.kinds import FRAMEWORK
from portal.controls.models import Framework
from portal.controls.views.rendering import show, unchanged
from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def framework_list(request: TenantRequest) -> HttpResponse:
    """Which frameworks the tenant works by. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = CompanyFrameworkFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("search"), order_by=BY_NAME, cursor=request.GET.get("cursor"))
    return show(request, "frameworks", FRAMEWORK, fragment="list", filters=filters, page=page)


@require_GET
@tenant_view(Role.VIEWER)
def framework_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One framework with its requirements and the controls that serve them. Polls this same address while it is open."""
    found = get_object_or_404(Framework, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    if not request.htmx and readiness(FRAMEWORK).is_connected:
        services.ask_for_requirements(found)
    lines = selectors.requirements_of(found, request.tenant.slug)
    return show(request, "framework", FRAMEWORK, fragment="framework", framework=found, lines=lines)
