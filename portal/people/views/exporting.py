from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_POST

from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.people import selectors, services
from portal.people.filters import PersonFilters
from portal.people.models import Person
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope

COLUMNS = (
    *("Id", "Name", "Email", "Job title", "Employment", "Start", "End", "Leave", "Leave from", "Leave until"),
    *("Tasks", "Tasks due", "Groups"),
)
BATCH = 500


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered people as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export(member=request.membership)
    return csv_answer(lines_of(PersonFilters.read(request.GET), request.tenant.pk), "people")


def lines_of(filters: PersonFilters, tenant_id: int) -> Iterator[tuple[object, ...]]:
    """Walk the rows in batches. The answer is read after the view has ended, so each batch enters the scope by itself."""
    yield COLUMNS
    cursor = None
    while True:
        with tenant_scope(tenant_id):
            rows = filters.rows().defer("payload", "search")
            page = keyset_page(rows, order_by=filters.order_by, cursor=cursor, size=BATCH)
            names = selectors.group_names(page.rows)
        yield from [cells(row, names.get(row.pk, [])) for row in page.rows]
        if (cursor := page.next_cursor) is None:
            return


def cells(row: Person, groups: list[str]) -> tuple[object, ...]:
    moments = (row.started_at, row.ended_at, row.leave_starts_at, row.leave_ends_at, row.tasks_due_at)
    start, end, leave_from, leave_until, due = [at and at.isoformat(timespec="seconds") for at in moments]
    leave = (row.leave_label, leave_from, leave_until)
    person = (row.platform_id, row.name, row.email, row.job_title, row.employment[0], start, end)
    return (*person, *leave, row.tasks[0], due, "; ".join(groups))
