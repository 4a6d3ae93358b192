from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.notifications.pages import is_of_unread, show_list
from portal.page_refresh.services import is_unchanged, version_at
from portal.tenants.access import opened_memberships
from portal.today import told
from portal.users.requests import SignedInRequest


@require_GET
def notifications(request: SignedInRequest) -> HttpResponse:
    """Everything that a person was told in any of their tenants. The list polls this same address."""
    opened, _ = opened_memberships(request)
    seen = version_at(told.version(opened), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    page = told.page_of(opened, request.user.pk, is_unread=is_of_unread(request), cursor=request.GET.get("cursor"))
    return show_list(request, page, unread=told.unread_count(opened, request.user.pk), page_version=seen)


@require_GET
def bell(request: SignedInRequest) -> HttpResponse:
    """What opens below the bell on a page of no tenant."""
    return _show_bell(request)


@require_GET
def unread(request: SignedInRequest) -> HttpResponse:
    """The figure on the bell there."""
    opened, _ = opened_memberships(request)
    number = told.unread_count(opened, request.user.pk)
    if is_unchanged(request, number or "0"):
        return HttpResponse(status=204)
    return render(request, "notifications/_unread.html", {"unread": number})


@require_POST
def read_all(request: SignedInRequest) -> HttpResponse:
    opened, _ = opened_memberships(request)
    told.mark_all_read(opened, request.user.pk)
    return _show_bell(request) if request.htmx else redirect("told:list")


def _show_bell(request: SignedInRequest) -> HttpResponse:
    opened, _ = opened_memberships(request)
    rows, number = told.newest(opened, request.user.pk), told.unread_count(opened, request.user.pk)
    return render(request, "notifications/_bell.html", {"rows": rows, "unread": number})
