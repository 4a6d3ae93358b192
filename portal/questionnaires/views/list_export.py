from collections.abc import Iterator, Sequence

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.lib.spreadsheets import csv_answer
from portal.questionnaires import services
from portal.questionnaires.filters import QuestionnaireFilters
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.tag_names import tag_words, tags_of_rows
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = (
    *("Id", "Name", "Stage", "Status", "Type", "Owner", "Approver", "Due"),
    *("Questions", "Answered", "Received", "Updated", "Completed", "Priority", "Target", "Tags"),
)


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered questionnaires as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = QuestionnaireFilters.read(request.GET)
    services.note_export(filters.query(), member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk), "questionnaires")


def lines_of(filters: QuestionnaireFilters, tenant_id: int) -> Iterator[Line]:
    now = timezone.now()

    def lines(rows: Sequence[Questionnaire]) -> list[Line]:
        tags = tags_of_rows(rows)
        return [cells(row, tag_words(tags[row.pk])) for row in rows]

    return list_lines(
        COLUMNS,
        lambda: filters.rows(now=now).defer("payload", "search"),
        lines,
        tenant_id=tenant_id,
        order_by=filters.order_by,
    )


def cells(row: Questionnaire, tags: str) -> Line:
    moments = (row.due_at, row.created_at, row.updated_at, row.completed_at, row.target_at)
    times = [at and at.isoformat(timespec="seconds") for at in moments]
    given = (row.platform_id, row.name, row.stage.label, row.status, row.kind_label)
    people = (row.owner_name, row.approver_name)
    counts = (row.question_count, row.answered_count)
    return (*given, *people, times[0], *counts, *times[1:4], row.priority_label, times[4], tags)
