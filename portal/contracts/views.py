from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.contracts import selectors, services
from portal.contracts.filters import ContractFilters
from portal.contracts.forms import UploadForm
from portal.contracts.models import Contract, Upload
from portal.lib.keyset import keyset_page
from portal.live.services import is_unchanged, stamp, stamp_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

AREAS = ("contracts", "connection", "sync")


@require_GET
@tenant_view(Role.VIEWER)
def contract_list(request: TenantRequest) -> HttpResponse:
    """The contracts, under the uploads that are on their way. The page polls this same address while it is open."""
    seen = stamp_at(stamp(*AREAS), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters, readiness = ContractFilters.read(request.GET), selectors.readiness()
    is_analyst = request.membership.may(Role.ANALYST)
    rows = filters.narrow(Contract.objects.present()).defer("payload", "search")
    context = {
        "filters": filters,
        "selects": filters.selects(),
        "page": keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor")),
        "has_any": Contract.objects.present().exists(),
        "uploads": selectors.upload_rows(is_analyst=is_analyst, is_connected=readiness.is_connected),
        "more_uploads": max(Upload.objects.shown().count() - selectors.MOST_SHOWN, 0),
        "readiness": readiness,
        "is_analyst": is_analyst,
        "stamp": seen,
    }
    return render(request, f"contracts/list.html{'#results' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def contract(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One contract. Polls this same address while it is open."""
    found = get_object_or_404(Contract, platform_id=platform_id)
    seen = stamp_at(stamp(*AREAS), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context = {"contract": found, "events": selectors.events_of(found), "stamp": seen}
    return render(request, f"contracts/detail.html{'#contract' if request.htmx else ''}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def upload(request: TenantRequest) -> HttpResponse:
    """Hand a document in. What cannot be taken is said on the page, with everything but the file still in it."""
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    if not form.is_valid():
        context = {"form": form, "readiness": selectors.readiness()}
        return render(request, "contracts/upload.html", context, status=422 if form.is_bound else 200)
    try:
        accepted = services.accept_upload(form.new_upload(), member=request.membership)
    except services.AlreadyThere as found:
        messages.info(request, "There was a contract with this external id already: this one. Nothing was uploaded.")
        return redirect("contracts:detail", slug=request.tenant.slug, platform_id=found.contract.platform_id)
    except services.AlreadyOnItsWay:
        messages.info(request, "A document with this external id is on its way already. Nothing was uploaded a second time.")
    else:
        messages.success(request, f"{accepted} is on its way.")
    return redirect("contracts:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ANALYST)
def send_again(request: TenantRequest, upload_id: int) -> HttpResponse:
    try:
        again = services.send_again(get_object_or_404(Upload, pk=upload_id), member=request.membership)
        messages.success(request, f"{again} is on its way again.")
    except services.NotPossible as error:
        messages.warning(request, f"Nothing was sent. {error}")
    return redirect("contracts:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ANALYST)
def discard(request: TenantRequest, upload_id: int) -> HttpResponse:
    try:
        discarded = services.discard(get_object_or_404(Upload, pk=upload_id), member=request.membership)
        messages.success(request, f"{discarded} was put away, and its file was deleted.")
    except services.NotPossible as error:
        messages.warning(request, f"It cannot be discarded. {error}")
    return redirect("contracts:list", slug=request.tenant.slug)
