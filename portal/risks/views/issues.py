from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from portal.lib.keyset import keyset_page
from portal.risks import selectors
from portal.risks.filters import ISSUE_TABS, IssueFilters
from portal.risks.kinds import ISSUE
from portal.risks.models import Issue
from portal.risks.views.rendering import show, unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def issue_list(request: TenantRequest) -> HttpResponse:
    """What was found wrong, and until when it has to be put right. The list polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = IssueFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    owners = selectors.owners_of(page.rows)
    context = {
        "filters": filters,
        "tabs": filters.tabs(ISSUE_TABS, selectors.issue_figures(filters)),
        "page": page,
        "rows": [(row, owners.get(row.pk, [])) for row in page.rows],
    }
    return show(request, "issues", ISSUE, fragment="list", **context)


@require_GET
@tenant_view(Role.VIEWER)
def issue_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One issue with all that the platform says of it. Polls this same address while it is open."""
    found = get_object_or_404(Issue, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    rest, slug = selectors.issue_of(found), request.tenant.slug
    context = {
        "issue": found,
        "rest": rest,
        "owners": selectors.owners_of([found]).get(found.pk, []),
        "controls": selectors.controls_named(rest.mapped_control_ids, slug),
        "scenarios": selectors.scenarios_named(rest.mapped_risk_scenario_ids, slug),
    }
    return show(request, "issue", ISSUE, fragment="issue", **context)
