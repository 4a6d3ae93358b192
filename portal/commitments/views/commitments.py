from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.accounts.services import AREA as ACCOUNTS
from portal.calendars.countries import countries
from portal.commitments import selectors, services
from portal.commitments.data_kinds import kind_labels
from portal.commitments.models import Commitment
from portal.commitments.places import contract_url, customer_url
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def commitment(request: TenantRequest, commitment_id: int) -> HttpResponse:
    """One commitment with its history. Polls this same address while it is open."""
    found = get_object_or_404(Commitment.objects.select_related("contract"), pk=commitment_id)
    seen = version_at(area_version(services.AREA, ACCOUNTS, "contracts"), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    slug, [row] = request.tenant.slug, selectors.rows_of([found])
    context = {
        "commitment": found,
        "row": row,
        "customer_url": customer_url(found.account_id, slug=slug) if row.account else "",
        "contract_url": contract_url(found.contract, found.page, slug=slug),
        "has_page": selectors.has_page(found),
        "kinds": kind_labels(found.data_kinds),
        "country": dict(countries()).get(found.country, found.country),
        "siblings": selectors.siblings_of(found),
        "events": selectors.events_of(found),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"commitments/commitment.html{'#commitment' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def end(request: TenantRequest, commitment_id: int) -> HttpResponse:
    """Say that a promise holds no longer, or take that back."""
    found = get_object_or_404(Commitment, pk=commitment_id)
    seen = request.POST.get("seen", "")
    try:
        if "reopen" in request.POST:
            services.reopen_commitment(found, seen=seen, member=request.membership)
            messages.success(request, "Commitment reopened.")
        else:
            services.end_commitment(found, seen=seen, member=request.membership)
            messages.success(request, "Commitment ended. It stays in the register, and you can reopen it here.")
    except services.ChangedMeanwhile:
        messages.warning(
            request, "Nothing was changed because someone else edited this commitment. This is the current version."
        )
    return redirect("commitments:commitment", slug=request.tenant.slug, commitment_id=commitment_id)
