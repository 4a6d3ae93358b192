from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.incidents.filters import NEWEST, ORDER, IncidentFilters, PlanFilters, counts_of
from portal.incidents.forms import RemarkForm
from portal.incidents.models import Incident, Responder
from portal.incidents.selectors.inputs import is_outdated
from portal.incidents.selectors.pages import incident_rows, log_events, noticed_elsewhere, standing_of
from portal.incidents.selectors.rows import shown
from portal.incidents.views.rendering import find
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

AREAS = ("incidents", "commitments")
LOG_ON_PLAN = 6
MAX_PRINTED = 2_000


@require_GET
@tenant_view(Role.VIEWER)
def incident_list(request: TenantRequest) -> HttpResponse:
    """All incidents. The list on the page polls this same address while it is open."""
    seen = version_at(area_version(*AREAS), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = IncidentFilters.read(request.GET)
    page = keyset_page(filters.rows(), order_by=NEWEST, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "tabs": filters.list_tabs(),
        "page": page,
        "rows": incident_rows(page.rows),
        "has_any": bool(page) or Incident.objects.exists(),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"incidents/list.html{'#incidents' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def plan(request: TenantRequest, incident_id: int) -> HttpResponse:
    """Who must be told, in which order and until when. Polls this same address while it is open."""
    incident = find(incident_id)
    seen = version_at(area_version(*AREAS), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters, counts = PlanFilters.read(request.GET), counts_of(incident)
    page = keyset_page(filters.rows(incident).defer("search"), order_by=ORDER, cursor=request.GET.get("cursor"))
    rows, may_change = shown(page.rows, incident), request.membership.may(Role.ANALYST) and incident.is_open
    context = {
        "incident": incident,
        "filters": filters,
        "tabs": filters.plan_tabs(incident),
        "to_tell": counts["to-tell"],
        "standing": standing_of(incident, counts),
        "page": page,
        "rows": rows,
        "left_on_page": sum(row.notice.is_to_tell for row in rows),
        "noticed_elsewhere": noticed_elsewhere(incident, [row.notice.zone for row in rows]),
        "people": Responder.objects.filter(incident=incident).select_related("user"),
        "is_outdated": incident.is_open and is_outdated(incident),
        "events": log_events(incident.log.select_related("notice")[:LOG_ON_PLAN]),
        "may_change": may_change,
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"incidents/plan.html{'#plan' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def log(request: TenantRequest, incident_id: int) -> HttpResponse:
    """Everything that was done about an incident, newest first."""
    incident = find(incident_id)
    seen = version_at(area_version("incidents"), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    page = keyset_page(incident.log.all(), order_by=("-id",), cursor=request.GET.get("cursor"))
    context = {
        "incident": incident,
        "page": page,
        "events": log_events(page.rows),
        "remark_form": RemarkForm(auto_id="remark_%s"),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"incidents/log.html{'#log' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def printed(request: TenantRequest, incident_id: int) -> HttpResponse:
    """The whole plan on one page, for paper."""
    incident = find(incident_id)
    rows = PlanFilters().rows(incident).defer("search").order_by(*ORDER)[:MAX_PRINTED]
    context = {
        "incident": incident,
        "rows": shown(rows, incident),
        "standing": standing_of(incident, counts_of(incident)),
        "most": MAX_PRINTED,
        "noticed_elsewhere": noticed_elsewhere(incident, []),
        "people": Responder.objects.filter(incident=incident).select_related("user"),
    }
    return render(request, "incidents/print.html", context)
