from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.event_log import services
from portal.event_log.filters import ORDER, LogFilters
from portal.event_log.models import AREA, LOG_ENTRY, LogEntry, LogEntryQuerySet
from portal.lib.keyset import keyset_page
from portal.lib.platform_choices import readable
from portal.lib.spreadsheets import csv_answer
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

AREAS = (AREA, "audit", "connection", "sync")
TARGETS_SHOWN = 3
COLUMNS = ("Id", "Action", "Objects", "Actor", "Actor id", "Made by", "When")


@require_GET
@tenant_view(Role.ADMIN)
def log(request: TenantRequest) -> HttpResponse:
    """What the platform has logged in this tenant, newest first. The list polls this same address."""
    seen = version_at(area_version(*AREAS), request.get_full_path(), "log")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = LogFilters.read(request.GET)
    rows = _rows(filters).defer("payload")
    page = keyset_page(rows, order_by=ORDER, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "page": page,
        "rows": [_line(row) for row in page.rows],
        "has_any": bool(page) or LogEntry.objects.exists(),
        "readiness": readiness(LOG_ENTRY),
        "page_version": seen,
    }
    return render(request, f"event_log/log.html{'#log' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ADMIN)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered entries as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export(member=request.membership)
    filters = LogFilters.read(request.GET)
    lines = list_lines(
        COLUMNS,
        lambda: _rows(filters).defer("payload", "search"),
        lambda page: map(_cells, page),
        tenant_id=request.tenant.pk,
        order_by=ORDER,
        zone=timezone.get_current_timezone(),
    )
    return csv_answer(lines, "event-log")


def _rows(filters: LogFilters) -> LogEntryQuerySet:
    return filters.rows().select_related("match").prefetch_related("targets")


def _line(row: LogEntry) -> tuple[LogEntry, str, str, list[tuple[str, str]], str]:
    return row, readable(row.action), readable(row.actor_type), _targets(row)[:TARGETS_SHOWN], _made_by(row)


def _cells(row: LogEntry) -> Line:
    targets = "; ".join(" ".join(target) for target in _targets(row))
    actor = (readable(row.actor_type), row.actor_id, _made_by(row))
    return (row.platform_id, readable(row.action), targets, *actor, row.at.isoformat(timespec="seconds"))


def _targets(row: LogEntry) -> list[tuple[str, str]]:
    return [(readable(target.kind), target.platform_id) for target in row.targets.all()]


def _made_by(row: LogEntry) -> str:
    if hasattr(row, "match"):
        return "This portal"
    return "Elsewhere" if row.is_of_user else "Not matched"
