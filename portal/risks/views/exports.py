from collections.abc import Iterator, Sequence
from datetime import datetime

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.lib.spreadsheets import csv_answer
from portal.risks import selectors, services
from portal.risks.filters import IssueFilters, ScenarioFilters
from portal.risks.models import Issue, RiskScenario
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

ISSUE_COLUMNS = ("Id", "Number", "Title", "Status", "Severity", "Due", "Detected", "Source", "Owners", "Close reason")
SCENARIO_COLUMNS = (
    *("Id", "Number", "Description", "Register", "Review", "Treatment", "Score", "Residual score", "Owner"),
    *("Identified", "Archived"),
)


@require_POST
@tenant_view(Role.ANALYST)
def export_issues(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered issues as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export("issues", member=request.membership)
    return csv_answer(lines_of_issues(IssueFilters.read(request.GET), request.tenant.pk), "issues")


def lines_of_issues(filters: IssueFilters, tenant_id: int) -> Iterator[Line]:
    def lines(rows: Sequence[Issue]) -> list[Line]:
        owners = selectors.owners_of(rows)
        return [cells_of_issue(row, owners.get(row.pk, [])) for row in rows]

    return list_lines(
        ISSUE_COLUMNS,
        lambda: filters.rows().defer("search"),
        lines,
        tenant_id=tenant_id,
        order_by=filters.order_by,
        zone=timezone.get_current_timezone(),
    )


def cells_of_issue(row: Issue, owners: list[str]) -> Line:
    issue = (row.platform_id, row.readable_id, row.title, row.state[0], row.severity_label[0])
    return (*issue, written(row.due_at), written(row.detected_at), row.source_label, "; ".join(owners), row.close_reason)


@require_POST
@tenant_view(Role.ANALYST)
def export_scenarios(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered risk scenarios as a file, in the same way."""
    services.record_export("risk scenarios", member=request.membership)
    return csv_answer(lines_of_scenarios(ScenarioFilters.read(request.GET), request.tenant.pk), "risk-scenarios")


def lines_of_scenarios(filters: ScenarioFilters, tenant_id: int) -> Iterator[Line]:
    return list_lines(
        SCENARIO_COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lambda page: map(cells_of_scenario, page),
        tenant_id=tenant_id,
        order_by=filters.order_by,
    )


def cells_of_scenario(row: RiskScenario) -> Line:
    scenario = (row.platform_id, row.risk_id, row.title, row.register, row.review[0], row.treatment)
    scores = (row.score or "", row.residual_score or "")
    return (*scenario, *scores, row.owner, written(row.identified_at), "yes" if row.is_archived else "no")


def written(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""
