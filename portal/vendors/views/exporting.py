from collections.abc import Iterator
from datetime import datetime

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.vendors import selectors, services
from portal.vendors.filters import VendorFilters
from portal.vendors.models import Vendor

COLUMNS = (
    *("Id", "Vendor", "Status", "Category", "Inherent risk", "Residual risk", "Decision", "Decided"),
    *("Next review", "Review state", "Security owner", "Business owner"),
)
BATCH = 500


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered vendors as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export(member=request.membership)
    return csv_answer(lines_of(VendorFilters.read(request.GET), request.tenant.pk, timezone.now()), "vendors")


def lines_of(filters: VendorFilters, tenant_id: int, now: datetime) -> Iterator[tuple[object, ...]]:
    """Walk the rows in batches. The answer is read after the view has ended, so each batch enters the scope by itself."""
    yield COLUMNS
    cursor = None
    while True:
        with tenant_scope(tenant_id):
            rows = filters.rows(now).defer("payload", "search")
            page = keyset_page(rows, order_by=filters.order_by, cursor=cursor, size=BATCH)
            ids = {each for row in page.rows for each in (row.security_owner_id, row.business_owner_id)}
            owners = selectors.names_of_owners(ids)
        yield from [cells(row, owners, now) for row in page.rows]
        if (cursor := page.next_cursor) is None:
            return


def cells(row: Vendor, owners: dict[str, str], now: datetime) -> tuple[object, ...]:
    decided, due = [at and at.isoformat(timespec="seconds") for at in (row.decided_at, row.review_due_at)]
    risks = (row.inherent_risk_word[0], row.residual_risk_word[0])
    vendor = (row.platform_id, row.name, row.status_word[0], row.category, *risks, row.decision_word[0], decided)
    return (*vendor, due, row.review_label(now)[0], owners[row.security_owner_id], owners[row.business_owner_id])
