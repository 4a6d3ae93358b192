from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_POST

from portal.controls import services
from portal.controls.filters import BY_NAME, TABS, CompanyControlFilters, TestFilters
from portal.controls.models import Test, words_of
from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope

COLUMNS = ("Id", "Number", "Name", "Description", "Domain", "Origin", "Use")
TEST_COLUMNS = ("Id", "Name", "Category", "Status", "Integrations", "Last run")
BATCH = 500


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered controls as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export("controls", member=request.membership)
    return csv_answer(lines_of(CompanyControlFilters.read(request.GET), request.tenant.pk), "controls")


def lines_of(filters: CompanyControlFilters, tenant_id: int) -> Iterator[tuple[object, ...]]:
    """Walk the rows in batches. The answer is read after the view has ended, so each batch enters the scope by itself."""
    yield COLUMNS
    cursor = None
    while True:
        with tenant_scope(tenant_id):
            # Of either kind: both have what the file shows.
            rows: Any = filters.rows().defer("search")
            page = keyset_page(rows, order_by=BY_NAME, cursor=cursor, size=BATCH)
        for row in page.rows:
            origin = "Your own" if row.is_own else "From the platform"
            facts = (row.platform_id, row.external_id, row.name, row.description, words_of(row.domain))
            yield (*facts, origin, TABS[filters.tab])
        if (cursor := page.next_cursor) is None:
            return


@require_POST
@tenant_view(Role.ANALYST)
def export_tests(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered tests as a file, in the same way."""
    services.record_export("tests", member=request.membership)
    return csv_answer(lines_of_tests(TestFilters.read(request.GET), request.tenant.pk), "tests")


def lines_of_tests(filters: TestFilters, tenant_id: int) -> Iterator[tuple[object, ...]]:
    yield TEST_COLUMNS
    cursor = None
    while True:
        with tenant_scope(tenant_id):
            rows = filters.rows().defer("search", "description")
            page = keyset_page(rows, order_by=filters.order_by, cursor=cursor, size=BATCH)
        yield from map(cells_of_test, page.rows)
        if (cursor := page.next_cursor) is None:
            return


def cells_of_test(row: Test) -> tuple[object, ...]:
    last_run = row.last_run_at.isoformat(timespec="seconds") if row.last_run_at else ""
    return (row.platform_id, row.name, row.category, row.state[0], row.integrations, last_run)
