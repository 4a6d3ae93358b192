from collections.abc import Iterator

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from portal.accounts.models import Account
from portal.accounts.services import ACCOUNT
from portal.accounts.services import AREA as ACCOUNTS
from portal.commitments import services
from portal.commitments.filters import MATRIX_ORDER, MatrixFilters
from portal.commitments.models import Commitment, Term, Verdict
from portal.commitments.selectors import Cell, MatrixRow, matrix_rows, standards
from portal.commitments.views.tabs import tabs_of
from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

DEFERRED = ("payload", "search", "custom_fields", "tags", "access_config")


@require_GET
@tenant_view(Role.VIEWER)
def matrix(request: TenantRequest) -> HttpResponse:
    """What each customer was promised, term by term. Polls this same address while it is open."""
    seen = version_at(area_version(services.AREA, ACCOUNTS, "connection", "sync"), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = MatrixFilters.read(request.GET)
    page = keyset_page(filters.rows().defer(*DEFERRED), order_by=MATRIX_ORDER, cursor=request.GET.get("cursor"))
    ours = standards()
    context = {
        "tabs": tabs_of(request, "matrix"),
        "filters": filters,
        "query": filters.query(),
        "page": page,
        "rows": matrix_rows(page.rows),
        "terms": [(term, ours.get(term)) for term in Term],
        "has_customers": bool(page) or Account.objects.present().exists(),
        "readiness": readiness(ACCOUNT),
        "has_promises": Commitment.objects.in_force().exists(),
        "is_compared": Commitment.objects.compared().exists(),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"commitments/matrix.html{'#matrix' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def export_matrix(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered customers as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = MatrixFilters.read(request.GET)
    services.record_export("matrix", filters.query(), member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk), "commitments-matrix")


def lines_of(filters: MatrixFilters, tenant_id: int) -> Iterator[Line]:
    columns = (
        "Customer",
        "Id",
        str(Verdict.HARDER.label),
        *(heading for term in Term for heading in (term.label, f"{term.label}: compared")),
    )
    return list_lines(
        columns,
        lambda: filters.rows().defer(*DEFERRED),
        lambda page: map(line_of, matrix_rows(page)),
        tenant_id=tenant_id,
        order_by=MATRIX_ORDER,
    )


def line_of(row: MatrixRow) -> Line:
    cells = [text for cell in row.cells for text in cell_texts(cell)]
    stricter = row.deviations if row.is_compared else ""
    return (str(row.account), row.account.platform_id, stricter, *cells)


def cell_texts(cell: Cell) -> tuple[str, str]:
    if cell.strictest is None:
        return "", ""
    more = f" (strictest of {cell.number})" if cell.number > 1 else ""
    return f"{cell.strictest.promise}{more}", str(cell.verdict.label)
