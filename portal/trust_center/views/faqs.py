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
from portal.trust_center.filters import BY_CATEGORY, FaqFilters
from portal.trust_center.forms import FaqForm
from portal.trust_center.kinds import FAQ
from portal.trust_center.models import Faq
from portal.trust_center.refusals import REFUSALS, Refusal, refusal_for
from portal.trust_center.views.checks import check_context
from portal.trust_center.views.rendering import page_version, refusal_on, row_to_edit, say_refusal, show_list, unchanged


@require_GET
@tenant_view(Role.VIEWER)
def faq_list(request: TenantRequest) -> HttpResponse:
    """The FAQs of the Trust Center by category. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = FaqFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search")
    page = keyset_page(rows, order_by=BY_CATEGORY, cursor=request.GET.get("cursor"))
    return show_list(request, "faqs", FAQ, filters=filters, page=page)


@require_GET
@tenant_view(Role.VIEWER)
def faq_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One FAQ. Polls this same address while it is open."""
    found = get_object_or_404(Faq, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    context = {
        "faq": found,
        "events": selectors.events_of(FAQ, found.platform_id),
        **check_context(request, selectors.check_of(FAQ, found.pk)),
        "readiness": readiness(FAQ, needs_trust_center=True),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": page_version(request),
    }
    return render(request, f"trust_center/faq.html{'#faq' if request.htmx else ''}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new_faq(request: TenantRequest) -> HttpResponse:
    """Add a FAQ. What was refused is said on the page, with everything that was typed."""
    form = FaqForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return show_form(request, form)
    try:
        added = services.add_faq(form.text, member=request.membership)
    except REFUSALS as error:
        return show_form(request, form, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, "Added to the Trust Center.")
    return redirect("trust_center:faq", slug=request.tenant.slug, platform_id=added.platform_id)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def edit_faq(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Change a FAQ. What was refused is said on the page, with everything that was typed."""
    found = row_to_edit(request, Faq, platform_id)
    form = FaqForm(request.POST if request.method == "POST" else None, faq=found)
    if not form.is_valid():
        return show_form(request, form, faq=found)
    if not set(form.changed_data) - {"seen"}:
        messages.info(request, "No changes, so nothing was sent.")
        return redirect("trust_center:faq", slug=request.tenant.slug, platform_id=platform_id)
    try:
        services.change_faq(found, form.text, seen=form.cleaned_data["seen"], member=request.membership)
    except services.ChangedMeanwhile as error:
        return show_changed(request, found, refusal_for(error, slug=request.tenant.slug))
    except REFUSALS as error:
        return show_form(request, form, faq=found, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, "FAQ saved on the platform.")
    return redirect("trust_center:faq", slug=request.tenant.slug, platform_id=platform_id)


def show_changed(request: TenantRequest, faq: Faq, refusal: Refusal) -> HttpResponse:
    """Show what somebody else has made of a FAQ above what the person typed; saved again, that replaces it."""
    faq.refresh_from_db()
    data = request.POST.copy()
    data["seen"] = FaqForm(faq=faq).version
    return show_form(request, FaqForm(data, faq=faq), faq=faq, refusal=refusal, has_changed=True)


def show_form(
    request: TenantRequest, form: FaqForm, *, faq: Faq | None = None, refusal: Refusal | None = None, has_changed: bool = False
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "faq": faq,
        "refusal": refusal,
        "has_changed": has_changed,
        "is_connected": readiness(FAQ).is_connected,
    }
    return render(request, "trust_center/faq_form.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(Role.ANALYST)
def delete_faq(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(Faq.objects.present(), platform_id=platform_id)
    try:
        services.delete_faq(found, member=request.membership)
    except REFUSALS as error:
        say_refusal(request, error)
        return redirect("trust_center:faq", slug=request.tenant.slug, platform_id=platform_id)
    messages.success(request, "Deleted from the Trust Center.")
    return redirect("trust_center:faqs", slug=request.tenant.slug)
