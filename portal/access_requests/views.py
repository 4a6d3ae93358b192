from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests import selectors, services
from portal.access_requests.filters import RequestFilters, ViewerFilters
from portal.access_requests.forms import ApprovalForm, DenialForm
from portal.access_requests.models import AccessRequest, Viewer
from portal.access_requests.places import LIST, PANE, VIEWERS, Place
from portal.access_requests.refusals import REFUSALS, explain
from portal.lib.keyset import keyset_page
from portal.live.services import is_unchanged, stamp
from portal.look.toasts import toast
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

AREAS = ("access_requests", "connection", "sync")


@require_GET
@tenant_view(Role.VIEWER)
def access_request_list(request: TenantRequest) -> HttpResponse:
    """All access requests. The list on the page polls this same address while it is open."""
    return show_desk(request)


@require_GET
@tenant_view(Role.VIEWER)
def access_request(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One request in the pane beside the list."""
    return show_desk(request, find(platform_id))


@require_POST
@tenant_view(Role.APPROVER)
def approve(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = find(platform_id)
    form = ApprovalForm(found, request.POST)
    if not form.is_valid():
        return show_desk(request, found, approval_form=form, status=422)
    return decide(
        request, found, lambda: services.approve(found, member=request.membership, terms=form.terms()), approval_form=form
    )


@require_POST
@tenant_view(Role.APPROVER)
def deny(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = find(platform_id)
    form = DenialForm(request.POST)
    if not form.is_valid():
        return show_desk(request, found, denial_form=form, status=422)
    return decide(request, found, lambda: services.deny(found, member=request.membership, reason=form.reason), denial_form=form)


@require_GET
@tenant_view(Role.VIEWER)
def viewer_list(request: TenantRequest) -> HttpResponse:
    """Everybody with access. The list polls this same address while it is open."""
    seen = Place(request, None).stamp(stamp(*AREAS), piece=VIEWERS)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    now, filters = timezone.now(), ViewerFilters.read(request.GET)
    rows = filters.in_tab(filters.narrow(Viewer.objects.present()), now=now).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    context = {
        "filters": filters,
        "tabs": filters.counted_tabs(now=now, path=request.path),
        "selects": filters.selects(),
        "page": page,
        "rows": selectors.viewer_rows(page.rows),
        "has_any": Viewer.objects.present().exists(),
        "readiness": selectors.readiness("viewer"),
        "stamp": seen,
    }
    return render(request, f"access_requests/viewers.html{'#results' if request.htmx else ''}", context)


def find(platform_id: str) -> AccessRequest:
    return get_object_or_404(AccessRequest, platform_id=platform_id)


def decide(request: TenantRequest, found: AccessRequest, take: Callable[[], AccessRequest], **forms: object) -> HttpResponse:
    """Make a decision and show what came of it; what did not work out comes back with the person's choices."""
    try:
        after = take()
    except REFUSALS as error:
        refusal = explain(error, slug=request.tenant.slug)
        return show_desk(request, find(found.platform_id), refusal=refusal, status=422, **forms)
    address = Place(request, after).address
    if not request.htmx:
        messages.success(request, f"{after.outcome_label}.")
        return redirect(address)
    answer = show_desk(request, after)
    answer["HX-Push-Url"] = address
    return toast(answer, f"{after.outcome_label}: {after}")


def show_desk(
    request: TenantRequest, found: AccessRequest | None = None, *, status: int = 200, **extra: object
) -> HttpResponse:
    """Draw the list, with the request that is open beside it; for htmx the piece that it asked for."""
    place = Place(request, found)
    list_stamp = place.stamp(stamp(*AREAS), piece=LIST)
    pane_stamp = place.stamp(found.touched_at.isoformat() if found else "", piece=PANE)
    seen = {LIST: list_stamp, PANE: pane_stamp}.get(place.piece)
    if seen and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context = {"place": place, "stamp": list_stamp, "pane_stamp": pane_stamp}
    if place.piece != PANE:
        context |= list_context(place)
    if found:
        context |= pane_context(request, found, **extra)
    return render(request, f"access_requests/list.html{place.piece and '#'}{place.piece}", context | extra, status=status)


def list_context(place: Place) -> dict[str, Any]:
    request = place.request
    filters = RequestFilters.read(request.GET)
    rows = filters.in_tab(filters.narrow(AccessRequest.objects.present())).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    return {
        "filters": filters,
        "tabs": filters.counted_tabs(path=place.path),
        "selects": filters.selects(),
        "page": page,
        "rows": selectors.rows_of(page.rows),
        "has_any": AccessRequest.objects.present().exists(),
        "readiness": selectors.readiness("access_request"),
    }


def pane_context(request: TenantRequest, found: AccessRequest, **forms: object) -> dict[str, Any]:
    [row] = selectors.rows_of([found])
    if row.decision and row.decision.is_open and not row.decision.is_recent(timezone.now()):
        services.look_again(found)
    is_approver = request.membership.may(Role.APPROVER)
    may_decide = is_approver and row.is_undecided
    return {
        "selected": found,
        "row": row,
        "events": selectors.events_of(found),
        "next_request": selectors.next_pending(found),
        "is_approver": is_approver,
        "may_decide": may_decide,
        "approval_form": ApprovalForm(found) if may_decide else None,
        "denial_form": DenialForm() if may_decide else None,
        **forms,
    }
