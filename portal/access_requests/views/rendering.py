"""How the list and the pane beside it are drawn, whoever asks for them."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from portal.access_requests import selectors, services
from portal.access_requests.events import events_of
from portal.access_requests.filters import RequestFilters
from portal.access_requests.forms import ApprovalForm, DenialForm, RejectionForm
from portal.access_requests.models import AccessRequest
from portal.access_requests.pending_banner import last_scheduled, pending_banner_for
from portal.access_requests.request_page import BANNER, DESK, LIST, PANE, AccessRequestPage
from portal.access_requests.rule_selectors import switch_state
from portal.access_requests.selectors import Row
from portal.lib.keyset import keyset_page
from portal.page_refresh.services import area_version, is_unchanged, own_version
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role

AREAS = ("access_requests", "trust_center", "accounts", "calendars", "connection", "sync")


def find(platform_id: str) -> AccessRequest:
    return get_object_or_404(AccessRequest, platform_id=platform_id)


def list_at(request: TenantRequest) -> str:
    return AccessRequestPage(request, None).address


def render_desk(
    request: TenantRequest, found: AccessRequest | None = None, *, status: int = 200, **extra: object
) -> HttpResponse:
    """Draw the list, with the request that is open beside it; for htmx the fragment that it asked for."""
    list_page = AccessRequestPage(request, found)
    list_version = list_page.page_version(area_version(*AREAS), fragment=LIST)
    own = own_version(found.touched_at.isoformat() if found else "", "access_requests")
    pane_version = list_page.page_version(own, fragment=PANE)
    banner_version = list_page.page_version(area_version("access_requests"), fragment=BANNER)
    seen = {LIST: list_version, PANE: pane_version, BANNER: banner_version}.get(list_page.fragment)
    if seen and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context: dict[str, Any] = {
        "list_page": list_page,
        "page_version": list_version,
        "pane_version": pane_version,
        "banner_version": banner_version,
    }
    context["may_export"] = request.membership.may(Role.ANALYST)
    context["is_approver"] = request.membership.may(Role.APPROVER)
    if list_page.fragment in ("", DESK, BANNER):
        context["pending_banner"] = pending_banner_for(request.membership.user)
    if list_page.fragment not in (PANE, BANNER):
        context |= list_context(list_page, found)
    if found and list_page.fragment != BANNER:
        context |= pane_context(request, context.get("row") or selectors.rows_of([found])[0], **extra)
    template = f"access_requests/list.html{list_page.fragment and '#'}{list_page.fragment}"
    return render(request, template, context | extra, status=status)


def list_context(list_page: AccessRequestPage, found: AccessRequest | None) -> dict[str, Any]:
    """Gather the list, and the row of what is open beside it: to look both up costs what one of them does."""
    request = list_page.request
    filters = RequestFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("payload", "search"), order_by=filters.order_by, cursor=request.GET.get("cursor"))
    tabs = filters.counted_tabs(path=list_page.path)
    rows = selectors.rows_of([*page.rows, *filter(None, [found])])
    return {
        "filters": filters,
        "tabs": tabs,
        "matching": next(tab["count"] for tab in tabs if tab["is_current"]),
        "page": page,
        "rows": rows[: len(page.rows)],
        "row": rows[-1] if found else None,
        "filter_query": filters.query(),
        "has_any": bool(page) or AccessRequest.objects.present().exists(),
        "readiness": readiness("access_request", needs_trust_center=True),
    }


def pane_context(request: TenantRequest, row: Row, **forms: object) -> dict[str, Any]:
    found = row.request
    if row.decision and row.decision.is_open and not row.decision.is_recent(timezone.now()):
        services.refresh_request(found)
    is_approver = request.membership.may(Role.APPROVER)
    may_decide = is_approver and row.is_undecided
    asked = row.asked
    return {
        "selected": found,
        "row": row,
        "events": events_of(found),
        "next_request": RequestFilters.read(request.GET).next_after(found),
        "may_decide": may_decide,
        "rules_stopped": switch_state().is_stopped,
        "previous_decision": last_scheduled(request.membership.user, beside=found),
        "is_asker": asked is not None and asked.is_by(request.membership.user),
        "rejection_form": RejectionForm() if asked else None,
        "approval_form": ApprovalForm(found) if may_decide else None,
        "denial_form": DenialForm() if may_decide else None,
        **forms,
    }
