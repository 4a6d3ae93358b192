from collections.abc import Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_POST

from portal.controls import services
from portal.controls.filters import BY_NAME, TABS, CompanyControlFilters, CompanyFrameworkFilters, TestFilters
from portal.controls.models import Framework, Test
from portal.lib.platform_choices import readable
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = ("Id", "Number", "Name", "Description", "Domain", "Origin", "Use")
FRAMEWORK_COLUMNS = (
    *("Id", "Name", "Shorthand", "Controls complete", "Controls", "Tests passing", "Tests"),
    *("Documents up to date", "Documents"),
)
TEST_COLUMNS = ("Id", "Name", "Category", "Status", "Integrations", "Last run")


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered controls as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export("controls", member=request.membership)
    return csv_answer(lines_of(CompanyControlFilters.read(request.GET), request.tenant.pk), "controls")


def lines_of(filters: CompanyControlFilters, tenant_id: int) -> Iterator[Line]:
    # Of either kind: both have what the file shows.
    def lines(rows: Sequence[Any]) -> list[Line]:
        return [cells_of_control(row, TABS[filters.tab]) for row in rows]

    return list_lines(COLUMNS, lambda: filters.rows().defer("search"), lines, tenant_id=tenant_id, order_by=BY_NAME)


def cells_of_control(row: Any, use: str) -> Line:
    origin = "Your own" if row.is_own else "From the platform"
    return (row.platform_id, row.external_id, row.name, row.description, readable(row.domain), origin, use)


@require_POST
@tenant_view(Role.ANALYST)
def export_frameworks(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered frameworks as a file, in the same way."""
    services.record_export("frameworks", member=request.membership)
    filters = CompanyFrameworkFilters.read(request.GET)
    lines = list_lines(
        FRAMEWORK_COLUMNS,
        lambda: filters.rows().defer("search"),
        lambda page: map(cells_of_framework, page),
        tenant_id=request.tenant.pk,
        order_by=BY_NAME,
    )
    return csv_answer(lines, "frameworks")


def cells_of_framework(row: Framework) -> Line:
    controls, tests = (row.controls_completed, row.controls_total), (row.tests_passing, row.tests_total)
    return (row.platform_id, row.name, row.shorthand, *controls, *tests, row.documents_passing, row.documents_total)


@require_POST
@tenant_view(Role.ANALYST)
def export_tests(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered tests as a file, in the same way."""
    services.record_export("tests", member=request.membership)
    return csv_answer(lines_of_tests(TestFilters.read(request.GET), request.tenant.pk), "tests")


def lines_of_tests(filters: TestFilters, tenant_id: int) -> Iterator[Line]:
    return list_lines(
        TEST_COLUMNS,
        lambda: filters.rows().defer("search", "description"),
        lambda page: map(cells_of_test, page),
        tenant_id=tenant_id,
        order_by=filters.order_by,
    )


def cells_of_test(row: Test) -> Line:
    last_run = row.last_run_at.isoformat(timespec="seconds") if row.last_run_at else ""
    return (row.platform_id, row.name, row.category, row.state[0], row.integrations, last_run)
