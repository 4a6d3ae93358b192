from collections.abc import Iterator, Sequence

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.page_refresh.services import is_unchanged
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center_activity import display_names, services
from portal.trust_center_activity.filters import ActivityFilters
from portal.trust_center_activity.models import ACTIVITY, Activity
from portal.trust_center_activity.pages import page_version
from portal.trust_center_activity.views.overview import with_subjects
from portal.ui.list_export import Line, list_lines

ORDER = ("-at", "-id")
COLUMNS = ("Id", "When", "Action", "Content", "Email", "Email domain", "City", "Country")


@require_GET
@tenant_view(Role.VIEWER)
def activity_list(request: TenantRequest) -> HttpResponse:
    """Every entry within the filters, newest first. The list polls this same address."""
    seen = page_version(request, "activity")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = ActivityFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("payload"), order_by=ORDER, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "tabs": filters.period_tabs(request.path),
        "selects": filters.activity_selects(
            subjects=display_names.subject_options(), countries=display_names.country_options()
        ),
        "domains": display_names.domain_options(),
        "page": page,
        "rows": with_subjects(page.rows),
        "has_any": bool(page) or Activity.objects.exists(),
        "readiness": readiness(ACTIVITY, needs_trust_center=True),
        "may_export": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"trust_center_activity/activity.html{'#activity' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def activity_export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered entries as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = ActivityFilters.read(request.GET)
    services.note_export(filters.query(), member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk), "activity")


def lines_of(filters: ActivityFilters, tenant_id: int) -> Iterator[Line]:
    def lines(rows: Sequence[Activity]) -> Iterator[Line]:
        for row, subject in with_subjects(rows):
            at = row.at.isoformat(timespec="seconds")
            yield row.platform_id, at, row.type_label, subject, row.email, row.domain, row.city, row.country

    return list_lines(COLUMNS, lambda: filters.rows().defer("payload"), lines, tenant_id=tenant_id, order_by=ORDER)
