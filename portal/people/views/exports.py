from collections.abc import Iterator, Sequence

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_POST

from portal.lib.spreadsheets import csv_answer
from portal.people import selectors, services
from portal.people.filters import BY_NAME, GroupFilters, PersonFilters
from portal.people.models import Group, Person
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = (
    *("Id", "Name", "Email", "Job title", "Employment", "Start", "End", "Leave", "Leave from", "Leave until"),
    *("Tasks", "Tasks due", "Groups"),
)
GROUP_COLUMNS = ("Id", "Name", "Description", "People", "Source", "Contact", "Contact email", "Created")


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered people as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export("people", member=request.membership)
    return csv_answer(lines_of(PersonFilters.read(request.GET), request.tenant.pk), "people")


def lines_of(filters: PersonFilters, tenant_id: int) -> Iterator[Line]:
    def lines(rows: Sequence[Person]) -> list[Line]:
        names = selectors.group_names(rows)
        return [cells(row, names.get(row.pk, [])) for row in rows]

    return list_lines(
        COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lines,
        tenant_id=tenant_id,
        order_by=filters.order_by,
    )


def cells(row: Person, groups: list[str]) -> Line:
    moments = (row.started_at, row.ended_at, row.leave_starts_at, row.leave_ends_at, row.tasks_due_at)
    start, end, leave_from, leave_until, due = [at and at.isoformat(timespec="seconds") for at in moments]
    leave = (row.leave_label, leave_from, leave_until)
    person = (row.platform_id, row.name, row.email, row.job_title, row.employment[0], start, end)
    return (*person, *leave, row.tasks[0], due, "; ".join(groups))


@require_POST
@tenant_view(Role.ANALYST)
def export_groups(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered groups as a file, in the same way."""
    services.record_export("groups", member=request.membership)
    filters = GroupFilters.read(request.GET)
    lines = list_lines(
        GROUP_COLUMNS,
        lambda: filters.rows().defer("search"),
        lambda page: map(cells_of_group, page),
        tenant_id=request.tenant.pk,
        order_by=BY_NAME,
    )
    return csv_answer(lines, "groups")


def cells_of_group(row: Group) -> Line:
    created = row.created_at and row.created_at.isoformat(timespec="seconds")
    return (row.platform_id, row.name, row.description, row.people_count, row.source_label, *row.contact, created)
