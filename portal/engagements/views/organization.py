"""What an audit shows of the audited organization, one list at a time."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from portal.engagements import selectors, services
from portal.engagements.filters import IN_ITS_ORDER, OrganizationFilters
from portal.engagements.kinds import ORGANIZATION
from portal.engagements.models import Engagement
from portal.engagements.organization import LISTS
from portal.engagements.views.audits import tabs_of
from portal.engagements.views.rendering import show, unchanged
from portal.lib.keyset import keyset_page
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def organization_page(request: TenantRequest, audit_id: str) -> HttpResponse:
    """One list of the audited organization. It is read when it is opened; the page polls this same address."""
    engagement, filters = get_object_or_404(Engagement, platform_id=audit_id), OrganizationFilters.read(request.GET)
    opened = services.ask_for_list(engagement, filters.kind)
    if answer := unchanged(request):
        return answer
    page = keyset_page(filters.rows(engagement), order_by=IN_ITS_ORDER, cursor=request.GET.get("cursor"))
    shown = LISTS[filters.kind]
    lines = [shown.line(part.payload) for part in page.rows]
    context: dict[str, Any] = {
        "engagement": engagement,
        "tabs": tabs_of(request, engagement, "organization"),
        "list_url": request.path,
        "filters": filters,
        "list": shown,
        "opened": opened,
        "page": page,
        "lines": lines,
        "has_states": any(line.state for line in lines),
        "has_days": any(line.days for line in lines),
        "unread": selectors.unread_of(engagement, ORGANIZATION),
    }
    return show(request, "organization", fragment="organization", **context)
