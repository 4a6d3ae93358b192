from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_POST

from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.check_filters import BY_DAY, CheckFilters
from portal.trust_center.models import ContentCheck
from portal.ui.list_export import Line, list_lines

COLUMNS = ("Kind", "Id", "Content", "Cause", "Date", "Difference", "Noticed", "Dismissed by", "Dismissed", "Reason")


@require_POST
@tenant_view(Role.ANALYST)
def export_checks(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered checks as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export_of_checks(member=request.membership)
    return csv_answer(lines_of(CheckFilters.read(request.GET), request.tenant.pk), "trust-center-to-check")


def lines_of(filters: CheckFilters, tenant_id: int) -> Iterator[Line]:
    return list_lines(
        COLUMNS,
        lambda: filters.rows().defer("search"),
        lambda page: map(cells, page),
        tenant_id=tenant_id,
        order_by=BY_DAY,
    )


def cells(row: ContentCheck) -> Line:
    day = row.due_on.isoformat() if row.has_day else None
    facts = ("Document" if row.is_document else "FAQ", row.platform_id, row.title, row.label, day, row.difference)
    dismissed = row.dismissed_at.isoformat(timespec="seconds") if row.dismissed_at else None
    return (*facts, row.found_at.isoformat(timespec="seconds"), row.dismissed_by_name, dismissed, row.reason)
