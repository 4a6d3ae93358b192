from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from portal.access_requests.models import Viewer
from portal.access_requests.views.rendering import AREAS
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center.visitor_filters import PartFilters
from portal.trust_center.visitor_pages import openness, seen_parts
from portal.trust_center.visitors import EXPLAINED, Visitor, visitor_of


@require_GET
@tenant_view(Role.VIEWER)
def viewer_sees(request: TenantRequest, platform_id: str) -> HttpResponse:
    """What one viewer sees of the Trust Center. Polls this same address while it is open."""
    found = get_object_or_404(Viewer, platform_id=platform_id)
    # Access ends by itself, without any row that changes.
    seen = version_at(area_version(*AREAS), request.get_full_path(), f"sees {found.is_expired}")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters, visitor = PartFilters.read(request.GET), visitor_for(found)
    context = {
        "viewer": found,
        "visitor": visitor,
        "explained": EXPLAINED[visitor.level],
        "filters": filters,
        "parts": seen_parts(visitor, filters, slug=request.tenant.slug, cursor=request.GET.get("cursor")),
        "openness": openness(),
        "page_version": seen,
    }
    return render(request, f"access_requests/viewer_sees.html{'#visitor' if request.htmx else ''}", context)


def visitor_for(viewer: Viewer) -> Visitor:
    return visitor_of(
        access_level=viewer.access_level,
        resource_ids=viewer.resource_ids,
        is_nda_pending=bool(viewer.nda_provider) and viewer.nda_satisfied_at is None,
        is_over=viewer.is_expired,
    )
