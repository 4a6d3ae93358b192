from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.module_loading import import_string
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_GET, require_POST

from portal.deletion_requests import selectors
from portal.deletion_requests.addresses import fingerprint
from portal.deletion_requests.filters import LedgerFilters
from portal.deletion_requests.forms import AddressForm
from portal.deletion_requests.models import DeletionRequest
from portal.deletion_requests.views.rendering import find_row
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

AREAS = ("deletion_requests", "connection")


@require_GET
@tenant_view(Role.VIEWER)
def deletion_request_list(request: TenantRequest) -> HttpResponse:
    """The ledger. The table on the page polls this same address while it is open."""
    filters = LedgerFilters.read(request.GET)
    seen = version_at(area_version(*AREAS), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    rows = filters.in_tab(filters.of_person(DeletionRequest.objects.defer("email")))
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "tabs": filters.counted_tabs(),
        "page": page,
        "still_listed": selectors.still_listed(page.rows),
        "has_any": bool(page) or DeletionRequest.objects.exists(),
        "is_connected": selectors.is_connected(),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_approver": request.membership.may(Role.APPROVER),
        "page_version": seen,
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
        messages.warning(request, "Enter the full address. The ledger stores only its hash.")
    return redirect(reverse("deletion_requests:list", args=[request.tenant.slug]) + query)


@require_GET
@tenant_view(Role.VIEWER)
def detail(request: TenantRequest, reference: str) -> HttpResponse:
    """One request, and the certificate once it is carried out. Polls this same address while it is open."""
    row = find_row(reference)
    seen = area_version(*AREAS) + f".{row.reference}"
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context = selectors.certificate(row, request.membership) | {"page_version": seen}
    return render(request, f"deletion_requests/detail.html{'#certificate' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def certificate_file(request: TenantRequest, reference: str) -> HttpResponse:
    """The certificate as a PDF, once there is one."""
    row = find_row(reference)
    if not row.is_erased:
        messages.info(request, "There is no certificate yet because this person has not been erased.")
        return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=reference)
    # Loaded when somebody wants a file: its library and its fonts take memory that no other page needs.
    write_certificate = import_string("portal.deletion_requests.certificate_file.write_certificate")
    content = write_certificate(row, tenant=request.tenant)
    answer = HttpResponse(content, content_type="application/pdf")
    answer["Content-Disposition"] = f'attachment; filename="erasure-{row.reference}.pdf"'
    return answer
