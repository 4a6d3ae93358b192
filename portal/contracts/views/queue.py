from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from portal.contracts import selectors, services
from portal.contracts.models import Upload
from portal.contracts.views.pages import page_version
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import is_unchanged
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

NEWEST = ("-id",)


@require_GET
@tenant_view(Role.VIEWER)
def queue(request: TenantRequest) -> HttpResponse:
    """Every upload: where it stands in the line, and what came of it. Polls this same address while it is open."""
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    show = request.GET.get("show", "")
    show = show if show in selectors.TABS else ""
    is_analyst, ready = request.membership.may(Role.ANALYST), readiness("contract")
    rows = Upload.objects.filter(state__in=selectors.TABS[show][1]).select_related("contract")
    order_by = NEWEST if show else selectors.IN_LINE
    page, counts = keyset_page(rows, order_by=order_by, cursor=request.GET.get("cursor")), selectors.tab_counts()
    context = {
        "tabs": [
            {"label": label, "count": counts[key], "url": f"?show={key}" if key else "?", "is_current": key == show}
            for key, (label, _) in selectors.TABS.items()
        ],
        "show": show,
        "page": page,
        "uploads": selectors.upload_rows(page.rows, is_analyst=is_analyst, is_connected=ready.is_connected),
        "progress": selectors.queue_progress(is_connected=ready.is_connected),
        "readiness": ready,
        "is_analyst": is_analyst,
        "page_version": seen,
    }
    return render(request, f"contracts/queue.html{'#queue' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def discard_waiting(request: TenantRequest) -> HttpResponse:
    number = services.discard_waiting(member=request.membership)
    if number:
        messages.success(request, f"{number:,} waiting upload{'' if number == 1 else 's'} discarded, with their files.")
    else:
        messages.info(request, "No uploads were waiting.")
    return redirect("contracts:queue", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ANALYST)
def send_again(request: TenantRequest, upload_id: int) -> HttpResponse:
    try:
        again = services.send_again(get_object_or_404(Upload, pk=upload_id), member=request.membership)
        messages.success(request, f"{again} is on its way again.")
    except services.NotPossible as error:
        messages.warning(request, f"Nothing was sent. {error}")
    return _back(request)


@require_POST
@tenant_view(Role.ANALYST)
def discard(request: TenantRequest, upload_id: int) -> HttpResponse:
    try:
        discarded = services.discard(get_object_or_404(Upload, pk=upload_id), member=request.membership)
        messages.success(request, f"{discarded} was discarded, and its file was deleted.")
    except services.NotPossible as error:
        messages.warning(request, f"Not discarded. {error}")
    return _back(request)


def _back(request: TenantRequest) -> HttpResponse:
    """To the page that the button stands on: the list, or a page of the queue."""
    address = request.POST.get("next", "")
    root = reverse("contracts:list", args=[request.tenant.slug])
    is_ours = url_has_allowed_host_and_scheme(address, None) and address.startswith(root)
    return redirect(address if is_ours else root)
