from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center.kinds import SUBPROCESSOR
from portal.vendors import selectors, services
from portal.vendors.filters import VendorFilters
from portal.vendors.forms import StatusForm
from portal.vendors.models import Vendor
from portal.vendors.refusals import REFUSALS
from portal.vendors.search_hits import subprocessor_url
from portal.vendors.services.writes import DECIDER
from portal.vendors.views.rendering import say_refusal, show, unchanged


@require_GET
@tenant_view(Role.VIEWER)
def vendor_list(request: TenantRequest) -> HttpResponse:
    """The vendors of the tenant. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    services.ask_for_labels()
    filters, now = VendorFilters.read(request.GET), timezone.now()
    rows = filters.rows(now).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    owners = selectors.names_of_owners({row.security_owner_id for row in page.rows})
    context = {
        "tabs": filters.counted_tabs(now),
        "filters": filters,
        "page": page,
        "rows": [(row, row.review_label(now), owners[row.security_owner_id]) for row in page.rows],
    }
    return show(request, "list", fragment="list", **context)


@require_GET
@tenant_view(Role.VIEWER)
def vendor_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One vendor with its reviews, findings and decisions. Polls this same address while it is open."""
    found = get_object_or_404(Vendor, platform_id=platform_id)
    services.ask_for_parts(found)
    if answer := unchanged(request):
        return answer
    context = {
        "vendor": found,
        "review": found.review_label(timezone.now()),
        "facts": selectors.facts_of(found),
        "parts": selectors.parts_of(found),
        "unread": selectors.unread_of(found),
        "events": selectors.events_of(found),
        "subprocessor_url": subprocessor_url(request.tenant.slug, found),
        "subprocessors": readiness(SUBPROCESSOR, needs_trust_center=True),
        "status_form": StatusForm(vendor=found),
    }
    return show(request, "vendor", fragment="vendor", **context)


@require_POST
@tenant_view(DECIDER)
def set_status(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Give a vendor another status on the platform."""
    found = get_object_or_404(Vendor.objects.present(), platform_id=platform_id)
    form = StatusForm(request.POST, vendor=found)
    if not form.is_valid():
        messages.warning(request, "Nothing was changed. Choose a status.")
    elif form.cleaned_data["status"] == found.status:
        messages.info(request, "No changes, so nothing was sent.")
    else:
        try:
            changed = services.set_status(found, form.cleaned_data["status"], member=request.membership)
        except REFUSALS as error:
            say_refusal(request, error)
        else:
            messages.success(request, f"{changed}: {changed.status_pill[0]}")
    return redirect("vendors:vendor", slug=request.tenant.slug, platform_id=platform_id)
