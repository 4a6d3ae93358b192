from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.questionnaires import services
from portal.questionnaires.filters import QuestionnaireFilters
from portal.questionnaires.models import Questionnaire
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope

COLUMNS = (
    *("Id", "Name", "Stage", "Status", "Type", "Owner", "Approver", "Due"),
    *("Questions", "Answered", "Received", "Updated", "Completed", "Priority", "Target"),
)
BATCH = 500


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered questionnaires as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = QuestionnaireFilters.read(request.GET)
    services.note_export(filters.query(), member=request.membership)
    return csv_answer(rows_of(filters, request.tenant.pk), "questionnaires")


def rows_of(filters: QuestionnaireFilters, tenant_id: int) -> Iterator[tuple[object, ...]]:
    """Walk the rows in batches. The answer is read after the view has ended, so each batch enters the scope by itself."""
    yield COLUMNS
    now, cursor = timezone.now(), None
    while True:
        with tenant_scope(tenant_id):
            rows = filters.rows(now=now).defer("payload", "search")
            page = keyset_page(rows, order_by=filters.order_by, cursor=cursor, size=BATCH)
        yield from map(cells, page.rows)
        if (cursor := page.next_cursor) is None:
            return


def cells(row: Questionnaire) -> tuple[object, ...]:
    moments = (row.due_at, row.created_at, row.updated_at, row.completed_at, row.target_at)
    times = [at and at.isoformat(timespec="seconds") for at in moments]
    given = (row.platform_id, row.name, row.stage.label, row.status, row.kind_label)
    people = (row.owner_name, row.approver_name)
    counts = (row.question_count, row.answered_count)
    return (*given, *people, times[0], *counts, *times[1:4], row.priority_label, times[4])
