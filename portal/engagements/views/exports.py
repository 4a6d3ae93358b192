from collections.abc import Iterator, Sequence
from datetime import datetime

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.engagements import selectors, services
from portal.engagements.filters import EngagementFilters
from portal.engagements.models import Engagement
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = (
    *("Id", "Audit", "Customer", "Framework", "State", "Early access", "Start", "End", "Completed"),
    *("Information requests", "Evidence"),
)
NOT_CHECKED = "Not checked yet"


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered audits as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export(member=request.membership)
    return csv_answer(lines_of(EngagementFilters.read(request.GET), request.tenant.pk, timezone.now()), "audits")


def lines_of(filters: EngagementFilters, tenant_id: int, now: datetime) -> Iterator[Line]:
    def lines(rows: Sequence[Engagement]) -> list[Line]:
        figures = selectors.figures_of(rows)
        return [cells(row, figures.get(row.pk), now) for row in rows]

    return list_lines(
        COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lines,
        tenant_id=tenant_id,
        order_by=filters.order_by,
        zone=timezone.get_current_timezone(),
    )


def cells(row: Engagement, figures: tuple[selectors.Figures, selectors.Figures] | None, now: datetime) -> Line:
    moments = (row.early_access_at, row.starts_at, row.ends_at, row.completed_at)
    dates = [at and at.isoformat(timespec="seconds") for at in moments]
    counts = [_words(each) for each in figures] if figures else [NOT_CHECKED] * 2
    return (row.platform_id, row.name, row.customer, row.framework, row.state(now)[0], *dates, *counts)


def _words(figures: selectors.Figures) -> str:
    return ", ".join(f"{label}: {number}" for label, _, number in figures) or "None"
