from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from portal.accounts import timeline
from portal.accounts.account_facts import desks
from portal.accounts.merged_accounts import customer_of
from portal.accounts.models import Account
from portal.accounts.services import AREA as ACCOUNTS
from portal.customers import selectors
from portal.customers.filters import ORDER, CustomerFilters
from portal.customers.models import ImportRun
from portal.customers.services.outcomes import AREA
from portal.customers.timeline import TimelineFilters
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

MAX_RUNS = 3


def page_version(request: TenantRequest) -> str:
    """Return the version of a page that shows customers with what the desks tell of them."""
    told = timeline.areas() | {desk.area for desk in desks().values()}
    return version_at(area_version(*sorted(told | {AREA, ACCOUNTS, "connection", "sync"})), request.get_full_path())


@require_GET
@tenant_view(Role.VIEWER)
def customer_list(request: TenantRequest) -> HttpResponse:
    """All customers. The list on the page polls this same address while it is open."""
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = CustomerFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search", "custom_fields", "tags")
    page = keyset_page(rows, order_by=ORDER, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "query": filters.query(),
        "page": page,
        "rows": selectors.customer_rows(page.rows),
        "has_any": bool(page) or Account.objects.exists(),
        "creations": selectors.creations_shown(),
        "runs": ImportRun.objects.filter(finished_at=None)[:MAX_RUNS],
        "readiness": readiness("account"),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"customers/list.html{'#customers' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def customer_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One customer and what happened with it, across all desks. Polls this same address while it is open."""
    account = get_object_or_404(Account, platform_id=platform_id)
    whole = customer_of(platform_id)
    if whole.main_id != platform_id and Account.objects.filter(platform_id=whole.main_id).exists():
        # A duplicate has no page of its own: all that is known of it stands on the main one's.
        return redirect("customers:customer", slug=request.tenant.slug, platform_id=whole.main_id)
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    slug, filters = request.tenant.slug, TimelineFilters.read(request.GET)
    parts = selectors.parts_of(account, whole)
    customer, twins = selectors.customer_of(account, whole, parts)
    timeline = filters.page_of(customer)
    context = {
        "account": account,
        "facts": selectors.facts_of(account),
        "tags": selectors.tag_words(account),
        "parts": parts,
        "access_words": selectors.access_words(account),
        "twins": twins,
        "figures": selectors.figures_of(account, slug=slug),
        "filters": filters,
        "tabs": filters.tabs(),
        "events": [vars(each) | {"url": each.link.url(slug) if each.link else ""} for each in timeline.moments],
        "older_url": filters.older(timeline),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_approver": request.membership.may(Role.APPROVER),
        "page_version": seen,
    }
    return render(request, f"customers/customer.html{'#customer' if request.htmx else ''}", context)
