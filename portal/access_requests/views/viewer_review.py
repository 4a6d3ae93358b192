"""The review of access that may be stale, check by check."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests.models import Viewer
from portal.access_requests.viewer_forms import KEEP, LABELS
from portal.access_requests.viewer_review import ReviewFilters
from portal.access_requests.viewer_selectors import viewer_rows, viewers_checked
from portal.access_requests.views.rendering import AREAS
from portal.access_requests.views.viewer_runs import begin
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

ACTIONS = [(verb, LABELS[verb]) for verb in (KEEP, *(verb for verb in LABELS if verb != KEEP))]


@require_GET
@tenant_view(Role.VIEWER)
def viewer_review(request: TenantRequest) -> HttpResponse:
    """Who may have access for no good reason. The list polls this same address while it is open."""
    seen = version_at(area_version(*AREAS), request.get_full_path(), "review")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    now, filters = timezone.now(), ReviewFilters.read(request.GET)
    rows = filters.rows(now=now).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    tabs = filters.counted_tabs(now=now, path=request.path)
    current = next(tab for tab in tabs if tab["is_current"])
    context = {
        "filters": filters,
        "query": filters.query(),
        "tabs": tabs,
        "matching": current["found"],
        "unchecked": current["unchecked"],
        "checked": viewers_checked(now),
        "page": page,
        "rows": [(row, filters.reasons(row.viewer, now=now)) for row in viewer_rows(page.rows)],
        "has_any": bool(page) or Viewer.objects.exists(),
        "readiness": readiness("viewer", needs_trust_center=True),
        "is_approver": request.membership.may(Role.APPROVER),
        "actions": ACTIONS,
        "page_version": seen,
    }
    return render(request, f"access_requests/viewer_review.html{'#review' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.APPROVER)
def start_review(request: TenantRequest) -> HttpResponse:
    """Do with the chosen rows of the review what the register does with its own, or keep them."""
    return begin(request, ReviewFilters.read(request.GET), back="access_requests:viewer_review")
