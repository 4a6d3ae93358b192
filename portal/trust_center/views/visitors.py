from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center.views.rendering import page_version, unchanged
from portal.trust_center.visitor_filters import VisitorFilters
from portal.trust_center.visitor_pages import openness, seen_parts
from portal.trust_center.visitors import EXPLAINED, OFFERED, Level, Visitor


@require_GET
@tenant_view(Role.VIEWER)
def visitor(request: TenantRequest) -> HttpResponse:
    """The Trust Center as a visitor of each access level sees it. Polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters, slug = VisitorFilters.read(request.GET), request.tenant.slug
    level = Level(filters.level)
    context = {
        "filters": filters,
        "tabs": filters.tabs(OFFERED, name="level"),
        "explained": EXPLAINED[level],
        "parts": seen_parts(Visitor(level=level), filters, slug=slug, cursor=request.GET.get("cursor")),
        "openness": openness(),
        "page_version": page_version(request),
    }
    return render(request, f"trust_center/visitor.html{'#visitor' if request.htmx else ''}", context)
