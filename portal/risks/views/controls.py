"""Which controls a risk scenario has: added, their type changed, taken off."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.connections.error_messages import Refusal
from portal.lib.keyset import keyset_page
from portal.risks import selectors, services
from portal.risks.filters import BY_NAME, ChoiceFilters
from portal.risks.forms import TypeForm
from portal.risks.models import RiskControl, RiskScenario
from portal.risks.models.choices import type_label
from portal.risks.refusals import REFUSALS, refusal_for
from portal.risks.services.writes import EDITOR
from portal.risks.views.rendering import say_refusal, show, unchanged
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.trust_center.kinds import CONTROL
from portal.trust_center.models import Control


def scenario_there(platform_id: str) -> RiskScenario:
    return get_object_or_404(RiskScenario.objects.present(), platform_id=platform_id)


@require_GET
@tenant_view(EDITOR)
def choose_control(request: TenantRequest, platform_id: str) -> HttpResponse:
    """The controls in use that a scenario has not, to choose one. Polls this same address while it is open."""
    found = scenario_there(platform_id)
    if answer := unchanged(request):
        return answer
    filters = ChoiceFilters.read(request.GET)
    page = keyset_page(filters.rows(found).defer("search"), order_by=BY_NAME, cursor=request.GET.get("cursor"))
    return show(request, "choose_control", CONTROL, fragment="list", scenario=found, filters=filters, page=page)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(EDITOR)
def add_control(request: TenantRequest, platform_id: str, control_id: str) -> HttpResponse:
    """Add a control. What was refused is said on the page, with what was chosen."""
    found = scenario_there(platform_id)
    control = get_object_or_404(Control.objects.present(), platform_id=control_id)
    form = TypeForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return show_form(request, form, found, control)
    try:
        services.add_control(found, control, form.chosen, member=request.membership)
    except REFUSALS as error:
        return show_form(request, form, found, control, refusal=refusal_for(error, slug=request.tenant.slug))
    messages.success(request, f"Added: {control}")
    return redirect("risks:scenario", slug=request.tenant.slug, platform_id=platform_id)


def show_form(
    request: TenantRequest, form: TypeForm, scenario: RiskScenario, control: Control, *, refusal: Refusal | None = None
) -> HttpResponse:
    context = {
        "form": form,
        "scenario": scenario,
        "control": control,
        "refusal": refusal,
        "is_connected": readiness(CONTROL).is_connected,
    }
    return render(request, "risks/add_control.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(EDITOR)
def change_type(request: TenantRequest, platform_id: str, control_id: str) -> HttpResponse:
    row = control_there(platform_id, control_id)
    form = TypeForm(request.POST, current=row.control_type)
    if not form.is_valid():
        messages.warning(request, "Nothing was changed. Choose a type.")
    elif form.chosen == row.control_type:
        messages.info(request, "No changes, so nothing was sent.")
    else:
        named = selectors.name_of_control(control_id)
        act(
            request,
            f"{named}: {type_label(form.chosen)}",
            lambda: services.change_type(row, form.chosen, named=named, member=request.membership),
        )
    return redirect("risks:scenario", slug=request.tenant.slug, platform_id=platform_id)


@require_POST
@tenant_view(EDITOR)
def remove_control(request: TenantRequest, platform_id: str, control_id: str) -> HttpResponse:
    row, named = control_there(platform_id, control_id), selectors.name_of_control(control_id)
    act(
        request,
        f"Removed from the risk scenario: {named}",
        lambda: services.remove_control(row, named=named, member=request.membership),
    )
    return redirect("risks:scenario", slug=request.tenant.slug, platform_id=platform_id)


def control_there(platform_id: str, control_id: str) -> RiskControl:
    rows = RiskControl.objects.select_related("scenario")
    return get_object_or_404(rows, scenario__platform_id=platform_id, scenario__gone_at=None, control_id=control_id)


def act(request: TenantRequest, said: str, do: Callable[[], object]) -> None:
    """Do what a button of the page asks for, and say there what came of it."""
    try:
        do()
    except REFUSALS as error:
        say_refusal(request, error)
    else:
        messages.success(request, said)
