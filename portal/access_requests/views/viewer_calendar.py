from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.access_requests.viewer_calendar import weeks_of
from portal.access_requests.views.rendering import AREAS
from portal.calendars.months import month_of, neighbours
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def viewer_calendar(request: TenantRequest) -> HttpResponse:
    """Whose access ends on which day of a month. The month polls this same address while it is open."""
    seen = version_at(area_version(*AREAS), request.get_full_path(), "month")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    month = month_of(request.GET.get("month", ""))
    before, after = neighbours(month)
    weeks = weeks_of(month)
    context = {
        "month": month,
        "month_key": f"{month:%Y-%m}",
        "weeks": weeks,
        "total": sum(day.number for week in weeks for day in week),
        "before": before,
        "after": after,
        "page_version": seen,
    }
    return render(request, f"access_requests/viewer_calendar.html{'#month' if request.htmx else ''}", context)
