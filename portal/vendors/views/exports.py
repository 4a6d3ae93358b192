from collections.abc import Iterator, Sequence
from datetime import datetime

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines
from portal.vendors import selectors, services
from portal.vendors.filters import VendorFilters
from portal.vendors.models import Vendor

COLUMNS = (
    *("Id", "Vendor", "Status", "Category", "Inherent risk", "Residual risk", "Decision", "Decided"),
    *("Next review", "Review state", "Security owner", "Business owner"),
)


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered vendors as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export(member=request.membership)
    return csv_answer(lines_of(VendorFilters.read(request.GET), request.tenant.pk, timezone.now()), "vendors")


def lines_of(filters: VendorFilters, tenant_id: int, now: datetime) -> Iterator[Line]:
    def lines(rows: Sequence[Vendor]) -> list[Line]:
        owners = selectors.names_of_owners({each for row in rows for each in (row.security_owner_id, row.business_owner_id)})
        return [cells(row, owners, now) for row in rows]

    return list_lines(
        COLUMNS,
        lambda: filters.rows(now).defer("payload", "search"),
        lines,
        tenant_id=tenant_id,
        order_by=filters.order_by,
        zone=timezone.get_current_timezone(),
    )


def cells(row: Vendor, owners: dict[str, str], now: datetime) -> Line:
    decided, due = [at and at.isoformat(timespec="seconds") for at in (row.decided_at, row.review_due_at)]
    risks = (row.inherent_risk_pill[0], row.residual_risk_pill[0])
    vendor = (row.platform_id, row.name, row.status_pill[0], row.category, *risks, row.decision_pill[0], decided)
    return (*vendor, due, row.review_label(now)[0], owners[row.security_owner_id], owners[row.business_owner_id])
