from collections.abc import Sequence

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.deletion_requests import selectors, services
from portal.deletion_requests.filters import LedgerFilters
from portal.deletion_requests.models import DeletionRequest
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = ("Reference", "Person", "State", "Due date", "Rows erased here", "Requested by", "Requested", "Note")


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered ledger as a file, addresses masked as there. That it was taken is written down (guarantee S8)."""
    filters = LedgerFilters.read(request.GET)
    services.record_export(member=request.membership)
    lines = list_lines(
        COLUMNS,
        lambda: filters.in_tab(filters.of_person(DeletionRequest.objects.defer("email"))),
        lines_of,
        tenant_id=request.tenant.pk,
        order_by=filters.order_by,
        zone=timezone.get_current_timezone(),
    )
    return csv_answer(lines, "deletion-requests")


def lines_of(rows: Sequence[DeletionRequest]) -> list[Line]:
    still_listed = selectors.still_listed(rows)
    return [cells(row, is_listed=row.email_hash in still_listed) for row in rows]


def cells(row: DeletionRequest, *, is_listed: bool) -> Line:
    state = "Needs a new request" if row.came_back else "Erased here only" if is_listed else row.get_state_display()
    erased = row.erased_count if row.is_erased else ""
    asked = (row.requested_by_name, row.requested_at.isoformat(timespec="seconds"), row.note)
    return (row.reference, row.masked_email, state, row.deadline_on, erased, *asked)
