from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.event_log.filters import ORDER, LogFilters
from portal.event_log.models import AREA, LOG_ENTRY, LogEntry
from portal.lib.keyset import keyset_page
from portal.lib.platform_choices import readable
from portal.page_refresh.services import is_unchanged, stamp, stamp_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

AREAS = (AREA, "audit", "connection", "sync")
TARGETS_SHOWN = 3


@require_GET
@tenant_view(Role.ADMIN)
def log(request: TenantRequest) -> HttpResponse:
    """What the platform has logged in this tenant, newest first. The list polls this same address."""
    seen = stamp_at(stamp(*AREAS), request.get_full_path(), "log")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = LogFilters.read(request.GET)
    rows = filters.rows().select_related("match").prefetch_related("targets").defer("payload")
    page = keyset_page(rows, order_by=ORDER, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "page": page,
        "rows": [_line(row) for row in page.rows],
        "has_any": bool(page) or LogEntry.objects.exists(),
        "readiness": readiness(LOG_ENTRY),
        "stamp": seen,
    }
    return render(request, f"event_log/log.html{'#log' if request.htmx else ''}", context)


def _line(row: LogEntry) -> tuple[LogEntry, str, str, list[tuple[str, str]]]:
    targets = [(readable(target.kind), target.platform_id) for target in row.targets.all()][:TARGETS_SHOWN]
    return row, readable(row.action), readable(row.actor_type), targets
