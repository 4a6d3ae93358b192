from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.lib.keyset import keyset_page
from portal.library.coverage_pages import gap_lines
from portal.library.filters import GapFilters
from portal.library.selectors import coverage
from portal.library.views.page_version import page_version
from portal.library.views.tabs import pages_of
from portal.page_refresh.services import is_unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

LINES = 25


@require_GET
@tenant_view(Role.VIEWER)
def coverage_page(request: TenantRequest) -> HttpResponse:
    """What was asked and has no entry, by theme. Polls this same address while it is open."""
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = GapFilters.read(request.GET)
    rows = filters.rows().select_related("wording__best_entry")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"), size=LINES)
    context = {
        "pages": pages_of(request, "coverage"),
        "filters": filters,
        "query": filters.query(),
        "coverage": coverage(),
        "page": page,
        "lines": gap_lines(page.rows, request.tenant.slug),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"library/coverage.html{'#coverage' if request.htmx else ''}", context)
