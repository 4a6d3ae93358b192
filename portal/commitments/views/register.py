from collections.abc import Iterator

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from portal.accounts.services import AREA as ACCOUNTS
from portal.commitments import services
from portal.commitments.data_kinds import kind_labels
from portal.commitments.filters import ORDER, RegisterFilters
from portal.commitments.models import Commitment
from portal.commitments.selectors import Row, rows_of
from portal.commitments.views.tabs import tabs_of
from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = (
    *("Customer", "Account id", "Term", "Promise", "Number", "Counted in", "In words"),
    *("Compared with our standard", "Our standard"),
    *("Contract", "Contract id", "Clause", "Page", "Contract wording", "Data", "Who to notify", "Time zone", "Country"),
    *("Added", "Added by", "Ended", "Ended by"),
)


@require_GET
@tenant_view(Role.VIEWER)
def register(request: TenantRequest) -> HttpResponse:
    """All commitments, the newest first. The list on the page polls this same address while it is open."""
    seen = version_at(area_version(services.AREA, ACCOUNTS), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = RegisterFilters.read(request.GET)
    rows = filters.rows().defer("search", "quote", "notify").select_related("contract").defer("contract__payload")
    page = keyset_page(rows, order_by=ORDER, cursor=request.GET.get("cursor"))
    context = {
        "tabs": tabs_of(request, "register"),
        "filters": filters,
        "query": filters.query(),
        "page": page,
        "rows": rows_of(page.rows),
        "has_any": bool(page) or Commitment.objects.exists(),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"commitments/register.html{'#register' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def export_register(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered commitments as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = RegisterFilters.read(request.GET)
    services.record_export("register", filters.query(), member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk), "commitments")


def lines_of(filters: RegisterFilters, tenant_id: int) -> Iterator[Line]:
    return list_lines(
        COLUMNS,
        lambda: filters.rows().defer("search").select_related("contract"),
        lambda page: map(cells, rows_of(page)),
        tenant_id=tenant_id,
        order_by=ORDER,
    )


def cells(row: Row) -> Line:
    one, contract = row.commitment, row.commitment.contract
    number = "" if one.amount is None else f"{one.amount.normalize():f}"
    unit = one.get_unit_display() if one.unit else ""
    return (
        *(row.customer, one.account_id, one.get_term_display(), one.promise, number, unit, one.words),
        *(row.comparison.verdict.label, row.standard.promise if row.standard else ""),
        *(str(contract or ""), contract.platform_id if contract else "", one.clause, one.page, one.quote),
        *("; ".join(kind_labels(one.data_kinds)), one.notify, one.zone, one.country),
        *(one.created_at.isoformat(timespec="seconds"), one.created_by_name),
        *(one.ended_at.isoformat(timespec="seconds") if one.ended_at else "", one.ended_by_name),
    )
