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
from portal.trust_center.filters import NEWEST_FIRST, UpdateFilters
from portal.trust_center.kinds import UPDATE
from portal.trust_center.models import Update
from portal.trust_center.refusals import REFUSALS, Refusal, refusal_for
from portal.trust_center.services.writes import PUBLISHER
from portal.trust_center.update_forms import UpdateForm
from portal.trust_center.views.rendering import (
    page_version,
    refusal_on,
    row_to_edit,
    say_refusal,
    show_list,
    told_context,
    unchanged,
)


@require_GET
@tenant_view(Role.VIEWER)
def update_list(request: TenantRequest) -> HttpResponse:
    """The updates of the Trust Center, below what is still scheduled. The list polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = UpdateFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("search"), order_by=NEWEST_FIRST, cursor=request.GET.get("cursor"))
    return show_list(
        request,
        "updates",
        UPDATE,
        filters=filters,
        page=page,
        publications=selectors.open_publications(),
        is_publisher=request.membership.may(PUBLISHER),
    )


@require_GET
@tenant_view(Role.VIEWER)
def update_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One update, and who was told of it. Polls this same address while it is open."""
    found = get_object_or_404(Update, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    context = {
        "update": found,
        **told_context(found.notified, number=len(found.notified)),
        "events": selectors.events_of(UPDATE, found.platform_id),
        "readiness": readiness(UPDATE, needs_trust_center=True),
        "is_publisher": request.membership.may(PUBLISHER),
        "page_version": page_version(request),
    }
    return render(request, f"trust_center/update.html{'#update' if request.htmx else ''}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(PUBLISHER)
def edit_update(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Change an update. What was refused is said on the page, with everything that was typed."""
    found = row_to_edit(request, Update, platform_id)
    form = UpdateForm(request.POST if request.method == "POST" else None, update=found)
    if not form.is_valid():
        return show_form(request, form, found)
    if not set(form.changed_data) - {"seen"}:
        messages.info(request, "No changes, so nothing was sent.")
        return redirect("trust_center:update", slug=request.tenant.slug, platform_id=platform_id)
    try:
        services.change_update(found, form.update_text, seen=form.cleaned_data["seen"], member=request.membership)
    except services.ChangedMeanwhile as error:
        return show_changed(request, found, refusal_for(error, slug=request.tenant.slug))
    except REFUSALS as error:
        return show_form(request, form, found, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, "Update saved on the platform.")
    return redirect("trust_center:update", slug=request.tenant.slug, platform_id=platform_id)


def show_changed(request: TenantRequest, update: Update, refusal: Refusal) -> HttpResponse:
    """Show what somebody else has made of an update above what the person typed; saved again, that replaces it."""
    update.refresh_from_db()
    data = request.POST.copy()
    data["seen"] = UpdateForm(update=update).version
    return show_form(request, UpdateForm(data, update=update), update, refusal=refusal, has_changed=True)


def show_form(
    request: TenantRequest, form: UpdateForm, update: Update, *, refusal: Refusal | None = None, has_changed: bool = False
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "update": update,
        "refusal": refusal,
        "has_changed": has_changed,
        "is_connected": readiness(UPDATE).is_connected,
    }
    return render(request, "trust_center/edit_update.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(PUBLISHER)
def delete_update(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(Update.objects.present(), platform_id=platform_id)
    try:
        services.delete_update(found, member=request.membership)
    except REFUSALS as error:
        say_refusal(request, error)
        return redirect("trust_center:update", slug=request.tenant.slug, platform_id=platform_id)
    messages.success(request, "Deleted from the Trust Center.")
    return redirect("trust_center:updates", slug=request.tenant.slug)
