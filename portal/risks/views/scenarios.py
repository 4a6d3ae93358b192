from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from portal.lib.keyset import keyset_page
from portal.risks import selectors, services
from portal.risks.filters import SCENARIO_TABS, ScenarioFilters
from portal.risks.forms import TypeForm
from portal.risks.kinds import RISK_SCENARIO
from portal.risks.models import RiskControl, RiskScenario
from portal.risks.views.rendering import show, unchanged
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def scenario_list(request: TenantRequest) -> HttpResponse:
    """What could happen, the highest score first. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = ScenarioFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "tabs": filters.tabs(SCENARIO_TABS, selectors.scenario_figures(filters)),
        "page": page,
    }
    return show(request, "scenarios", RISK_SCENARIO, fragment="list", **context)


@require_GET
@tenant_view(Role.VIEWER)
def scenario_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One risk scenario. Its controls are asked for once somebody opens it. Polls this same address while it is open."""
    found = get_object_or_404(RiskScenario, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    if not request.htmx and readiness(RISK_SCENARIO).is_connected:
        services.ask_for_controls(found)
    controls = [
        (each, type_form(each.row), f"type-{each.row.pk}", f"remove-{each.row.pk}")
        for each in selectors.controls_of(found, request.tenant.slug)
    ]
    context = {
        "scenario": found,
        "rest": selectors.scenario_of(found),
        "controls": controls,
        "events": selectors.events_of(RISK_SCENARIO, found.platform_id),
    }
    return show(request, "scenario", RISK_SCENARIO, fragment="scenario", **context)


def type_form(row: RiskControl) -> TypeForm:
    return TypeForm(current=row.control_type, place=f"type-of-{row.pk}")
