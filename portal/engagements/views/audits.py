from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from portal.engagements import selectors, services
from portal.engagements.filters import IN_ITS_ORDER, EngagementFilters, EvidenceFilters, OfAuditFilters, RequestFilters
from portal.engagements.models import Engagement, EngagementControl
from portal.engagements.views.rendering import show, unchanged
from portal.lib.keyset import keyset_page
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

TABS = {"requests": "Information requests", "evidence": "Evidence", "controls": "Controls", "organization": "Organization"}


@require_GET
@tenant_view(Role.VIEWER)
def audit_list(request: TenantRequest) -> HttpResponse:
    """The audits of the firm. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters, now = EngagementFilters.read(request.GET), timezone.now()
    rows = filters.rows().defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    figures = selectors.figures_of(page.rows)
    context: dict[str, Any] = {
        "tabs": filters.counted_tabs(),
        "filters": filters,
        "page": page,
        "rows": [(row, row.state(now), *figures.get(row.pk, (None, None))) for row in page.rows],
    }
    return show(request, "list", fragment="list", **context)


@require_GET
@tenant_view(Role.VIEWER)
def requests_page(request: TenantRequest, audit_id: str) -> HttpResponse:
    """One audit with its information requests."""
    return show_audit(request, audit_id, "requests", RequestFilters.read(request.GET))


@require_GET
@tenant_view(Role.VIEWER)
def evidence_page(request: TenantRequest, audit_id: str) -> HttpResponse:
    """One audit with its evidence."""
    return show_audit(request, audit_id, "evidence", EvidenceFilters.read(request.GET))


@require_GET
@tenant_view(Role.VIEWER)
def controls_page(request: TenantRequest, audit_id: str) -> HttpResponse:
    """One audit with the controls in its scope."""
    return show_audit(request, audit_id, "controls", None)


def show_audit(
    request: TenantRequest, audit_id: str, tab: str, filters: RequestFilters | EvidenceFilters | None
) -> HttpResponse:
    """Draw one tab of an audit. The page polls this same address while it is open."""
    engagement = get_object_or_404(Engagement, platform_id=audit_id)
    services.ask_for_lists(engagement)
    if answer := unchanged(request):
        return answer
    found: Any = filters.rows(engagement) if filters else EngagementControl.objects.filter(engagement=engagement)
    rows = found.defer("payload", "search") if filters else found
    page = keyset_page(rows, order_by=IN_ITS_ORDER, cursor=request.GET.get("cursor"))
    segments = {} if filters else selectors.segments_of(engagement)
    context: dict[str, Any] = {
        "engagement": engagement,
        "state": engagement.state(timezone.now()),
        "facts": selectors.facts_of(engagement),
        "figures": selectors.figures_of([engagement]).get(engagement.pk, (None, None)),
        "tabs": tabs_of(request, engagement, tab),
        "tab": tab,
        "tab_url": request.path,
        "filters": filters or OfAuditFilters(),
        "page": page,
        "controls": [] if filters else [(row, selectors.assessments_of(row, segments)) for row in page.rows],
        "unread": selectors.unread_of(engagement),
    }
    return show(request, "audit", fragment="audit", **context)


def tabs_of(request: TenantRequest, engagement: Engagement, current: str) -> list[dict[str, Any]]:
    args = [request.tenant.slug, engagement.platform_id]
    return [
        {"label": label, "url": reverse(f"engagements:{key}", args=args), "is_current": key == current}
        for key, label in TABS.items()
    ]
