"""The register of everybody who has or had access, and one of them beside the list."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from portal.access_requests import viewer_selectors
from portal.access_requests.models import Viewer, ViewerRun
from portal.access_requests.viewer_changes import ViewerVerb
from portal.access_requests.viewer_filters import UNKNOWN, ViewerFilters
from portal.access_requests.viewer_forms import KEEP, LABELS
from portal.access_requests.viewer_page import LIST, PANE, ViewerPage
from portal.access_requests.views.rendering import AREAS
from portal.accounts.selectors import accounts_by_id
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

MAX_RUNS = 3
ACTIONS = [(verb, label) for verb, label in LABELS.items() if verb != KEEP]


@require_GET
@tenant_view(Role.VIEWER)
def viewer_list(request: TenantRequest) -> HttpResponse:
    """Everybody with access. The list polls this same address while it is open."""
    return show_viewers(request)


@require_GET
@tenant_view(Role.VIEWER)
def viewer(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One viewer in the pane beside the list."""
    return show_viewers(request, get_object_or_404(Viewer, platform_id=platform_id))


def show_viewers(request: TenantRequest, found: Viewer | None = None) -> HttpResponse:
    """Draw the list, with the viewer who is open beside it; for htmx the fragment that it asked for."""
    list_page = ViewerPage(request, found)
    version = area_version(*AREAS)
    versions = {LIST: list_page.page_version(version, fragment=LIST), PANE: list_page.page_version(version, fragment=PANE)}
    seen = versions.get(list_page.fragment)
    if seen and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context: dict[str, Any] = {
        "list_page": list_page,
        "page_version": versions[LIST],
        "pane_version": versions[PANE],
        "is_approver": request.membership.may(Role.APPROVER),
    }
    if list_page.fragment != PANE:
        context |= list_context(list_page)
    if found:
        context |= pane_context(found)
    return render(request, f"access_requests/viewers.html{list_page.fragment and '#'}{list_page.fragment}", context)


def list_context(list_page: ViewerPage) -> dict[str, Any]:
    request, now = list_page.request, timezone.now()
    filters = ViewerFilters.read(request.GET)
    rows = filters.rows(now=now).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    tabs = filters.counted_tabs(now=now, path=list_page.path)
    current = next(tab for tab in tabs if tab["is_current"])
    return {
        "filters": filters,
        "query": filters.query(),
        "tabs": tabs,
        "matching": current["found"],
        "chips": filters.chips(path=list_page.path),
        "page": page,
        "rows": viewer_selectors.viewer_rows(page.rows),
        "unchecked": current["unchecked"],
        "unchecked_url": list_page.path + filters.query(seen=UNKNOWN),
        "has_any": bool(page) or Viewer.objects.exists(),
        "runs": ViewerRun.objects.filter(finished_at=None)[:MAX_RUNS],
        "readiness": readiness("viewer", needs_trust_center=True),
        "actions": ACTIONS,
        "is_analyst": request.membership.may(Role.ANALYST),
    }


def pane_context(found: Viewer) -> dict[str, Any]:
    [row] = viewer_selectors.viewer_rows([found])
    unfit = {ViewerVerb.SHRINK, ViewerVerb.REMIND} if found.is_expired else set()
    return {
        "selected": found,
        "row": row,
        "account": accounts_by_id([found.account_id]).get(found.account_id),
        "item": viewer_selectors.newest_item(found),
        "events": viewer_selectors.events_of_viewer(found),
        "requests": viewer_selectors.requests_of(found),
        "pane_actions": [] if found.gone_at else [(verb, label) for verb, label in ACTIONS if verb not in unfit],
    }
