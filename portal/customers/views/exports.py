from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.utils.text import capfirst
from django.views.decorators.http import require_POST

from portal.accounts.account_facts import TITLES
from portal.customers import services
from portal.customers.filters import ORDER, CustomerFilters
from portal.customers.selectors import CustomerRow, customer_rows
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = (
    *(
        "Name",
        "Email domain",
        "Company NDA",
        "Company NDA settled",
        "Automatic approval",
        "Id",
        "Created",
        "Changed",
        "Gone",
        "Merged into",
    ),
    *TITLES.values(),
)
"""The first two are what an import reads."""


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered customers as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = CustomerFilters.read(request.GET)
    services.record_export(filters.query(), member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk), "customers")


def lines_of(filters: CustomerFilters, tenant_id: int) -> Iterator[Line]:
    return list_lines(
        COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lambda page: map(cells, customer_rows(page)),
        tenant_id=tenant_id,
        order_by=ORDER,
    )


def cells(row: CustomerRow) -> Line:
    account = row.account
    moments = (account.nda_satisfied_at, account.created_at, account.updated_at, account.gone_at)
    settled, created, changed, gone = [at and at.isoformat(timespec="seconds") for at in moments]
    approval = (
        capfirst(account.grants or "on") if account.approves_itself else "Off" if account.access_config else "Not provided"
    )
    # A duplicate's numbers are told once, at its main account: else whoever adds them up counts them twice.
    numbers = ["" if row.main else row.known[name].number if name in row.known else 0 for name in TITLES]
    who = (account.name, account.domain, account.nda_state, settled, approval, account.platform_id)
    return (*who, created, changed, gone, row.main.platform_id if row.main else "", *numbers)
