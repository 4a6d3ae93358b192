from collections.abc import Iterator
from datetime import datetime

from django.http import StreamingHttpResponse
from django.utils.text import capfirst
from django.views.decorators.http import require_POST

from portal.access_requests import services
from portal.access_requests.filters import RequestFilters
from portal.access_requests.selectors import Row, rows_of
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = (
    *("Id", "Name", "Email", "Company", "Domain", "Account", "State", "Outcome", "Level", "Documents", "Reason"),
    *("Person's NDA", "From this domain", "Requested", "Due", "Changed", "Decided by", "Confirmed by", "Denial reason"),
)


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered requests as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = RequestFilters.read(request.GET)
    services.record_export(filters.tab, member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk), "access-requests")


def lines_of(filters: RequestFilters, tenant_id: int) -> Iterator[Line]:
    return list_lines(
        COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lambda page: map(cells, rows_of(page)),
        tenant_id=tenant_id,
        order_by=filters.order_by,
    )


def cells(row: Row) -> Line:
    request, decision = row.request, row.decision
    person = (request.platform_id, request.name, request.email, request.company, request.domain)
    asked = (request.level_label, "; ".join(row.resources), request.reason)
    decided = (decision.decided_by_name, decision.second_by_name) if decision else ("", "")
    times = (moment(request.created_at), moment(row.due_at), moment(request.updated_at))
    account = row.knowledge.match.description
    facts = (capfirst(row.nda[0].removeprefix("This person: ")), row.domain.description)
    return (*person, account, row.state[0], request.outcome, *asked, *facts, *times, *decided, request.denial_reason)


def moment(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""
