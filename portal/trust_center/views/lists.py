from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from portal.lib.keyset import keyset_page
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center.filters import BY_NAME, FrameworkFilters, SubprocessorFilters
from portal.trust_center.kinds import FRAMEWORK, SUBPROCESSOR
from portal.trust_center.linked_vendors import linked_vendors
from portal.trust_center.views.rendering import show_list, unchanged


@require_GET
@tenant_view(Role.VIEWER)
def start(request: TenantRequest) -> HttpResponse:
    """The desk begins with its documents."""
    return redirect("trust_center:resources", slug=request.tenant.slug)


@require_GET
@tenant_view(Role.VIEWER)
def subprocessor_list(request: TenantRequest) -> HttpResponse:
    """Who processes data for the tenant. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = SubprocessorFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search")
    page = keyset_page(rows, order_by=BY_NAME, cursor=request.GET.get("cursor"))
    vendors = linked_vendors(page.rows, request.tenant.slug)
    pairs = [(row, vendors.get(row.platform_id, "")) for row in page.rows]
    return show_list(request, "subprocessors", SUBPROCESSOR, filters=filters, page=page, rows=pairs)


@require_GET
@tenant_view(Role.VIEWER)
def framework_list(request: TenantRequest) -> HttpResponse:
    """Which compliance frameworks visitors see. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = FrameworkFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search")
    page = keyset_page(rows, order_by=BY_NAME, cursor=request.GET.get("cursor"))
    return show_list(request, "frameworks", FRAMEWORK, filters=filters, page=page)
