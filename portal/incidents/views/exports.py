from collections.abc import Iterator
from datetime import UTC, datetime

from django.http import HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.views.decorators.http import require_GET, require_POST

from portal.incidents import services
from portal.incidents.filters import NEWEST, ORDER, IncidentFilters, PlanFilters, counts_of
from portal.incidents.models import Incident, LogEntry
from portal.incidents.selectors.pages import IncidentRow, change_words, incident_rows
from portal.incidents.selectors.rows import RowShown, shown
from portal.incidents.views.rendering import find
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

PLAN_COLUMNS = (
    *("Customer", "Email domain", "Part of the plan", "Deadline (UTC)", "Deadline", "Promise", "Counted", "Other promises"),
    *("Who to notify", "State", "Notified (UTC)", "In time", "Channel", "Recorded by", "Note"),
)
LIST_COLUMNS = ("Incident", "Data", "State", "Immediately", "Next deadline (UTC)", "To notify", "Notified", "Noticed (UTC)")
LOG_COLUMNS = ("When (UTC)", "Who", "Step", "Customer", "What", "Note", "Changes")


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """The filtered list of incidents as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = IncidentFilters.read(request.GET)
    services.note_list_export(member=request.membership)
    lines = list_lines(
        LIST_COLUMNS,
        filters.rows,
        lambda page: map(list_cells, incident_rows(page)),
        tenant_id=request.tenant.pk,
        order_by=NEWEST,
    )
    return csv_answer(lines, "incidents")


@require_POST
@tenant_view(Role.ANALYST)
def export_plan(request: TenantRequest, incident_id: int) -> StreamingHttpResponse:
    """The filtered plan as a file, in the same way."""
    incident, filters = find(incident_id), PlanFilters.read(request.GET)
    services.note_export(incident, "plan", member=request.membership)
    rows = plan_lines(incident, filters, request.tenant.pk, str(timezone.get_current_timezone_name()))
    return csv_answer(rows, f"incident-{incident.pk}-plan")


@require_POST
@tenant_view(Role.ANALYST)
def export_log(request: TenantRequest, incident_id: int) -> StreamingHttpResponse:
    """The whole log as a file, oldest first."""
    incident = find(incident_id)
    services.note_export(incident, "log", member=request.membership)
    rows = log_lines(incident, request.tenant.pk, str(timezone.get_current_timezone_name()))
    return csv_answer(rows, f"incident-{incident.pk}-log")


@require_GET
@tenant_view(Role.VIEWER)
def plan_file(request: TenantRequest, incident_id: int) -> HttpResponse:
    """The plan as a PDF."""
    incident = find(incident_id)
    # Loaded when somebody wants a file: its library and its fonts take memory that no other page needs.
    write_plan, most = (import_string(f"portal.incidents.plan_file.{name}") for name in ("write_plan", "MAX_CUSTOMERS"))
    rows = shown(PlanFilters().rows(incident).defer("search").order_by(*ORDER)[:most], incident)
    people = ", ".join(str(each.user) for each in incident.responders.select_related("user")) or "the admins"
    number = counts_of(incident)[""]
    content = write_plan(incident, rows, number=number, people=people, tenant=request.tenant)
    answer = HttpResponse(content, content_type="application/pdf")
    answer["Content-Disposition"] = f'attachment; filename="incident-{incident.pk}-plan.pdf"'
    return answer


def plan_lines(incident: Incident, filters: PlanFilters, tenant_id: int, zone: str) -> Iterator[Line]:
    return list_lines(
        PLAN_COLUMNS,
        lambda: filters.rows(incident),
        lambda page: map(plan_cells, shown(page, incident)),
        tenant_id=tenant_id,
        order_by=ORDER,
        zone=zone,
    )


def log_lines(incident: Incident, tenant_id: int, zone: str) -> Iterator[Line]:
    return list_lines(
        LOG_COLUMNS,
        lambda: incident.log.select_related("notice"),
        lambda page: map(log_cells, page),
        tenant_id=tenant_id,
        order_by=("id",),
        zone=zone,
    )


def list_cells(row: IncidentRow) -> Line:
    state = "Closed" if not row.incident.is_open else "Open" if row.to_tell else "All notified"
    next_at, noticed_at = utc(row.next_at), utc(row.incident.noticed_at)
    at_once = "yes" if row.is_at_once else ""
    return (row.incident.name, row.incident.kinds_words, state, at_once, next_at, row.to_tell, row.told, noticed_at)


def log_cells(entry: LogEntry) -> Line:
    facts = (utc(entry.at), entry.who, entry.get_step_display(), entry.notice or "", entry.text, entry.note)
    return (*facts, " ".join(change_words(each) for each in entry.details))


def plan_cells(row: RowShown) -> Line:
    notice, counting = row.notice, row.counting
    others = "; ".join(f"{each.promise} ({each.place}{'' if each.applies else ', other data'})" for each in row.others)
    return (
        *(notice.customer, notice.domain, notice.get_rank_display(), utc(notice.due_at), row.until_words),
        *(row.promise_words, counting.reading if counting else "", others, row.whom),
        *(notice.get_state_display(), utc(notice.told_at), row.told[0], row.way, notice.settled_by_name, notice.note),
    )


def utc(at: datetime | None) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds") if at else ""
