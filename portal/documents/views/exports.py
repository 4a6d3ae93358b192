from collections.abc import Iterator
from datetime import date

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.documents import services
from portal.documents.filters import DocumentFilters
from portal.documents.models import Document
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = ("Id", "Title", "Category", "Status", "Since", "Owner", "Sensitive", "Renewal", "Next renewal", "Repeats")


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered documents as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export(member=request.membership)
    filters, today = DocumentFilters.read(request.GET), timezone.localdate()
    return csv_answer(lines_of(filters, request.tenant.pk, today), "documents")


def lines_of(filters: DocumentFilters, tenant_id: int, today: date) -> Iterator[Line]:
    return list_lines(
        COLUMNS,
        lambda: filters.rows(today).defer("payload", "search", "description"),
        lambda page: [cells(row, today) for row in page],
        tenant_id=tenant_id,
        order_by=filters.order_by,
    )


def cells(row: Document, today: date) -> Line:
    since = row.status_changed_at.isoformat(timespec="seconds") if row.status_changed_at else None
    day = row.renew_on.isoformat() if row.has_renewal else None
    facts = (row.platform_id, row.title, row.category, row.status, since, row.owner, "Yes" if row.is_sensitive else "No")
    return (*facts, row.renewal_label(today)[0], day, row.cadence_label)
