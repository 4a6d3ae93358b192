from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from portal.lib.keyset import keyset_page
from portal.library.filters import BY_TITLE, KnowledgeFilters
from portal.library.kinds import KNOWLEDGE_RESOURCE
from portal.library.models import KnowledgeResource
from portal.library.views.page_version import page_version
from portal.library.views.tabs import pages_of
from portal.page_refresh.services import is_unchanged
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

PASSAGES = 40


@require_GET
@tenant_view(Role.VIEWER)
def knowledge_list(request: TenantRequest) -> HttpResponse:
    """The resources of the platform's knowledge base. The list on the page polls this same address while it is open."""
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = KnowledgeFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("search"), order_by=BY_TITLE, cursor=request.GET.get("cursor"))
    context = {
        "pages": pages_of(request, "knowledge"),
        "filters": filters,
        "tabs": filters.counted_tabs(),
        "page": page,
        "readiness": readiness(KNOWLEDGE_RESOURCE),
        "page_version": seen,
    }
    return render(request, f"library/knowledge.html{'#resources' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def knowledge_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One resource, and what of its text answers questions. Polls this same address while it is open."""
    found = get_object_or_404(KnowledgeResource, platform_id=platform_id)
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context = {
        "resource": found,
        "page": keyset_page(found.passages.all(), order_by=("position",), cursor=request.GET.get("cursor"), size=PASSAGES),
        "page_version": seen,
    }
    return render(request, f"library/knowledge_resource.html{'#resource' if request.htmx else ''}", context)
