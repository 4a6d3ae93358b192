from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from portal.accounts.selectors import accounts_by_id
from portal.contracts import selectors, services
from portal.contracts.filters import ContractFilters
from portal.contracts.models import Contract, Reading, Removal, Upload
from portal.contracts.text_pages import text_of
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_filters import clean_text

AREAS = ("contracts", "connection", "sync", "accounts")


def page_version(request: TenantRequest) -> str:
    return version_at(area_version(*AREAS), request.get_full_path())


@require_GET
@tenant_view(Role.VIEWER)
def contract_list(request: TenantRequest) -> HttpResponse:
    """The contracts, under the uploads that are on their way. The page polls this same address while it is open."""
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters, ready = ContractFilters.read(request.GET), readiness("contract")
    is_analyst = request.membership.may(Role.ANALYST)
    rows = filters.rows(request.user.pk).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    uploads = selectors.first_uploads()
    context = {
        "filters": filters,
        "query": filters.query(),
        "page": page,
        "rows": selectors.contract_rows(page.rows, filters),
        "uploads": selectors.upload_rows(uploads, is_analyst=is_analyst, is_connected=ready.is_connected),
        "more_uploads": max(Upload.objects.shown().count() - len(uploads), 0) if uploads else 0,
        "progress": selectors.queue_progress(is_connected=ready.is_connected) if uploads else None,
        "readiness": ready,
        "is_analyst": is_analyst,
        "page_version": seen,
    }
    fragment = "#uploads" if request.htmx.target == "uploads" else "#results"
    return render(request, f"contracts/list.html{fragment if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def contract(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One contract. Polls this same address while it is open."""
    found = get_object_or_404(Contract, platform_id=platform_id)
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    terms, reading = services.terms_of(found), Reading.objects.filter(contract=found).first()
    accounts = accounts_by_id([found.account_id, found.platform_account_id])
    is_analyst = request.membership.may(Role.ANALYST)
    context = {
        "contract": found,
        "suggested": selectors.suggested_terms(found, terms) if is_analyst else [],
        "account": accounts.get(found.account_id),
        "platform_account": accounts.get(found.platform_account_id),
        "terms": terms,
        "terms_facts": selectors.terms_facts(terms),
        "pills": selectors.pills_of(terms),
        "reading": reading,
        "reading_words": selectors.reading_words(found, reading),
        "removal": Removal.objects.filter(contract=found).first(),
        "events": selectors.events_of(found),
        "is_analyst": is_analyst,
        "is_approver": request.membership.may(Role.APPROVER),
        "page_version": seen,
    }
    return render(request, f"contracts/detail.html{'#contract' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def text(request: TenantRequest, platform_id: str) -> HttpResponse:
    """The text of a contract, page by page, with what was searched for marked."""
    found = get_object_or_404(Contract, platform_id=platform_id)
    q = clean_text(request.GET.get("q", ""))
    context = {
        "contract": found,
        "q": q,
        "text": text_of(found, words=q, page=request.GET.get("page", "")),
        "reading_words": selectors.reading_words(found, Reading.objects.filter(contract=found).first()),
        "is_analyst": request.membership.may(Role.ANALYST),
    }
    return render(request, "contracts/text.html", context)
