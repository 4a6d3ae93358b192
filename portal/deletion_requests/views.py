from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.connections.services import NotConnected
from portal.deletion_requests import selectors, services
from portal.deletion_requests.addresses import fingerprint
from portal.deletion_requests.filters import ORDER_BY, LedgerFilters
from portal.deletion_requests.forms import AddressForm, ConfirmationForm
from portal.deletion_requests.models import DeletionRequest, new_reference
from portal.lib.keyset import keyset_page
from portal.live.services import is_unchanged, stamp, stamp_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

AREAS = ("deletion_requests", "connection")
NOT_CONNECTED = "This tenant is not connected to the platform. Nothing was sent and nothing was erased."


@require_GET
@tenant_view(Role.VIEWER)
def deletion_request_list(request: TenantRequest) -> HttpResponse:
    """The ledger. The table on the page polls this same address while it is open."""
    filters = LedgerFilters.read(request.GET)
    seen = stamp_at(stamp(*AREAS), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    rows = filters.in_tab(filters.of_person(DeletionRequest.objects.defer("email")))
    context = {
        "filters": filters,
        "tabs": filters.counted_tabs(),
        "page": keyset_page(rows, order_by=ORDER_BY, cursor=request.GET.get("cursor")),
        "has_any": DeletionRequest.objects.exists(),
        "is_connected": selectors.is_connected(),
        "is_approver": request.membership.may(Role.APPROVER),
        "stamp": seen,
    }
    return render(request, f"deletion_requests/list.html{'#ledger' if request.htmx else ''}", context)


# Asking whether a certain person is in the ledger is more than reading it: the rows name nobody.
@sensitive_post_parameters("email")
@require_POST
@tenant_view(Role.APPROVER)
@sensitive_variables("form")
def find(request: TenantRequest) -> HttpResponse:
    """Find an address in the ledger. It comes in the body and goes on as its hash, so that no address of a page holds it."""
    form, query = AddressForm(request.POST), ""
    if form.is_valid():
        query = LedgerFilters(person=fingerprint(form.cleaned_data["email"])).query()
    else:
        messages.warning(request, "Enter the whole address: the ledger knows people by the hash of it only.")
    return redirect(reverse("deletion_requests:list", args=[request.tenant.slug]) + query)


@sensitive_post_parameters("email")
@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.APPROVER)
@sensitive_variables("form", "email")
def new(request: TenantRequest) -> HttpResponse:
    """Ask whose data; posting shows what would be erased. Not a redirect: the address must not get into one."""
    form = AddressForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {"form": form, "is_connected": selectors.is_connected()}
        return render(request, "deletion_requests/new.html", context, status=422 if form.is_bound else 200)
    email = form.cleaned_data["email"]
    return show_confirmation(request, email, ConfirmationForm(initial={"email": email, "reference": new_reference()}))


@sensitive_post_parameters("email", "again")
@require_POST
@tenant_view(Role.APPROVER)
@sensitive_variables("form", "email", "cleaned")
def submit(request: TenantRequest) -> HttpResponse:
    """Erase. What cannot be done is said on the page with the person's input still in it."""
    form = ConfirmationForm(request.POST)
    is_complete = form.is_valid()
    cleaned = form.cleaned_data
    if "email" not in cleaned or "reference" not in cleaned:
        messages.warning(request, "The form was not complete. Nothing was sent; please start again.")
        return redirect("deletion_requests:new", slug=request.tenant.slug)
    email = cleaned["email"]
    if not is_complete:
        return show_confirmation(request, email, form, status=422)
    try:
        row = services.submit(email, reference=cleaned["reference"], note=cleaned["note"], member=request.membership)
    except NotConnected:
        return show_confirmation(request, email, form, status=422)
    except services.AlreadyOpen as found:
        messages.info(request, "There was an open request about this address already. Nothing was sent a second time.")
        row = found.row
    return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=row.reference)


@require_GET
@tenant_view(Role.VIEWER)
def detail(request: TenantRequest, reference: str) -> HttpResponse:
    """One request, and the certificate once it is carried out. Polls this same address while it is open."""
    row = find_row(reference)
    seen = f"{stamp(*AREAS)}.{row.reference}"
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context = selectors.certificate(row, is_approver=request.membership.may(Role.APPROVER)) | {"stamp": seen}
    return render(request, f"deletion_requests/detail.html{'#certificate' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.APPROVER)
def retry(request: TenantRequest, reference: str) -> HttpResponse:
    row = find_row(reference)
    try:
        services.ask_again(row, member=request.membership)
    except NotConnected:
        messages.error(request, NOT_CONNECTED)
    except services.BeingSent:
        messages.info(request, "Nothing was sent: it is being worked on, or has come to its end.")
    return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=reference)


@require_POST
@tenant_view(Role.APPROVER)
def close(request: TenantRequest, reference: str) -> HttpResponse:
    row = find_row(reference)
    try:
        services.close(row, member=request.membership)
        messages.success(request, "Closed. Nothing was erased.")
    except services.BeingSent:
        messages.info(request, "It cannot be closed: it is being worked on, or has come to its end.")
    return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=reference)


def find_row(reference: str) -> DeletionRequest:
    return get_object_or_404(DeletionRequest, reference=reference)


def show_confirmation(request: TenantRequest, email: str, form: ConfirmationForm, *, status: int = 200) -> HttpResponse:
    context = {"preview": selectors.preview(email), "form": form, "is_connected": selectors.is_connected()}
    response = render(request, "deletion_requests/confirm.html", context, status=status)
    # The page holds the address in full: no browser keeps it on disk.
    patch_cache_control(response, no_store=True)
    return response
