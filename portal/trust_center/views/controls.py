from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.filters import BY_NAME, BY_PLACE, ControlFilters, ShownControlFilters
from portal.trust_center.forms import PlacementForm
from portal.trust_center.kinds import CONTROL, CONTROL_CATEGORY, SHOWN_CONTROL
from portal.trust_center.models import Control, ShownControl
from portal.trust_center.refusals import REFUSALS, Refusal, refusal_for
from portal.trust_center.views.rendering import page_version, refusal_on, row_to_edit, say_refusal, show_list, unchanged


@require_GET
@tenant_view(Role.VIEWER)
def control_list(request: TenantRequest) -> HttpResponse:
    """The controls that visitors see, by category. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = ShownControlFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search").prefetch_related("placements")
    page = keyset_page(rows, order_by=BY_PLACE, cursor=request.GET.get("cursor"))
    return show_list(request, "controls", SHOWN_CONTROL, filters=filters, page=page)


@require_GET
@tenant_view(Role.ANALYST)
def add_control_list(request: TenantRequest) -> HttpResponse:
    """The controls of the tenant that visitors do not see, to choose one. Polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = ControlFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("search"), order_by=BY_NAME, cursor=request.GET.get("cursor"))
    return show_list(request, "add_control", CONTROL, filters=filters, page=page)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def show_control(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Show a control on the Trust Center. What was refused is said on the page, with everything that was chosen."""
    found = get_object_or_404(Control.objects.present(), platform_id=platform_id)
    form = PlacementForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return show_form(request, form, found)
    try:
        shown = services.show_control(found, form.category_ids, member=request.membership)
    except REFUSALS as error:
        return show_form(request, form, found, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, "Added to the Trust Center.")
    return redirect("trust_center:control", slug=request.tenant.slug, platform_id=shown.platform_id)


@require_GET
@tenant_view(Role.VIEWER)
def control_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One control that visitors see. Polls this same address while it is open."""
    found = get_object_or_404(ShownControl.objects.prefetch_related("placements"), platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    context = {
        "control": found,
        "events": selectors.events_of(SHOWN_CONTROL, found.platform_id),
        "readiness": readiness(SHOWN_CONTROL, needs_trust_center=True),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": page_version(request),
    }
    return render(request, f"trust_center/control.html{'#control' if request.htmx else ''}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def place_control(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Choose the categories that a control stands in. What was refused is said on the page, with everything that was chosen."""
    found = row_to_edit(request, ShownControl, platform_id)
    form = PlacementForm(request.POST if request.method == "POST" else None, control=found)
    if not form.is_valid():
        return show_form(request, form, found)
    if not set(form.changed_data) - {"seen"}:
        messages.info(request, "No changes, so nothing was sent.")
        return redirect("trust_center:control", slug=request.tenant.slug, platform_id=platform_id)
    try:
        services.set_categories(found, form.category_ids, seen=form.cleaned_data["seen"], member=request.membership)
    except services.ChangedMeanwhile as error:
        return show_changed(request, found, refusal_for(error, slug=request.tenant.slug))
    except REFUSALS as error:
        return show_form(request, form, found, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, "Categories saved on the platform.")
    return redirect("trust_center:control", slug=request.tenant.slug, platform_id=platform_id)


def show_changed(request: TenantRequest, control: ShownControl, refusal: Refusal) -> HttpResponse:
    """Show where a control stands now above what the person chose; saved again, that replaces it."""
    data = request.POST.copy()
    data["seen"] = PlacementForm(control=control).version
    now = list(control.placements.values_list("category_name", flat=True))
    return show_form(request, PlacementForm(data, control=control), control, refusal=refusal, now=now)


def show_form(
    request: TenantRequest,
    form: PlacementForm,
    control: Control | ShownControl,
    *,
    refusal: Refusal | None = None,
    now: list[str] | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "control": control,
        "is_shown": isinstance(control, ShownControl),
        "has_categories": form.has_choices,
        "refusal": refusal,
        "now": now,
        "is_connected": readiness(CONTROL_CATEGORY).is_connected,
    }
    return render(request, "trust_center/place_control.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(Role.ANALYST)
def hide_control(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(ShownControl.objects.present(), platform_id=platform_id)
    try:
        services.hide_control(found, member=request.membership)
    except REFUSALS as error:
        say_refusal(request, error)
        return redirect("trust_center:control", slug=request.tenant.slug, platform_id=platform_id)
    messages.success(request, "Removed from the Trust Center.")
    return redirect("trust_center:controls", slug=request.tenant.slug)
