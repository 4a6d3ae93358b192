from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.check_filters import BY_DAY, CheckFilters
from portal.trust_center.check_forms import DismissalForm
from portal.trust_center.kinds import FAQ, RESOURCE
from portal.trust_center.models import ContentCheck
from portal.trust_center.search_hits import check_url
from portal.trust_center.sent_answers import sent_answers
from portal.trust_center.views.rendering import desk_tabs, page_version, unchanged

CHANGED = "Something new was found since you opened this. Nothing was dismissed: check it again."


@require_GET
@tenant_view(Role.VIEWER)
def check_list(request: TenantRequest) -> HttpResponse:
    """What somebody should look at, and what was dismissed. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters, slug = CheckFilters.read(request.GET), request.tenant.slug
    rows = filters.rows().defer("search")
    page = keyset_page(rows, order_by=BY_DAY, cursor=request.GET.get("cursor"))
    progress = selectors.check_progress()
    context = {
        "tabs": desk_tabs(request),
        "shows": filters.counted_tabs(is_whole=progress.is_whole),
        "filters": filters,
        "page": page,
        "rows": [(row, check_url(slug, row), row.is_over(timezone.localdate())) for row in page.rows],
        "progress": progress,
        "readiness": readiness(RESOURCE, FAQ, needs_trust_center=True),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": page_version(request),
    }
    return render(request, f"trust_center/checks.html{'#list' if request.htmx else ''}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def check(request: TenantRequest, key: int) -> HttpResponse:
    """Dismiss something with a reason. What was refused is said on the page, with what was typed."""
    found = get_object_or_404(ContentCheck, pk=key)
    form = DismissalForm(request.POST if request.method == "POST" else None, found=found)
    if not form.is_valid():
        return show_check(request, found, form)
    try:
        services.dismiss(found, form.cleaned_data["reason"], seen=form.cleaned_data["seen"], member=request.membership)
    except services.ChangedMeanwhile:
        messages.warning(request, CHANGED)
        return redirect("trust_center:check", slug=request.tenant.slug, key=key)
    messages.success(request, "Dismissed. It comes back when the content or the answers change.")
    return redirect("trust_center:checks", slug=request.tenant.slug)


def show_check(request: TenantRequest, found: ContentCheck, form: DismissalForm) -> HttpResponse:
    context: dict[str, Any] = {"form": form, **check_context(request, found)}
    return render(request, "trust_center/check.html", context, status=422 if form.is_bound else 200)


def check_context(request: TenantRequest, found: ContentCheck | None) -> dict[str, Any]:
    """Return what a page shows of what is wrong with one document or FAQ."""
    if found is None:
        return {"check": None}
    slug = request.tenant.slug
    return {
        "check": found,
        "check_page": check_url(slug, found),
        "is_over": found.is_over(timezone.localdate()),
        "sent_answers": sent_answers(found.answers, slug),
    }


@require_POST
@tenant_view(Role.ANALYST)
def bring_back(request: TenantRequest, key: int) -> HttpResponse:
    """Take it back that something was dismissed."""
    found = get_object_or_404(ContentCheck, pk=key)
    services.bring_back(found, member=request.membership)
    messages.success(request, f"Back on the list: {found}")
    return redirect("trust_center:checks", slug=request.tenant.slug)
