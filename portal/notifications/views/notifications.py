from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.notifications import selectors, services
from portal.notifications.models import AREA, Notification
from portal.notifications.pages import is_of_unread, show_list
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

IN_BELL = 7


@require_GET
@tenant_view(Role.VIEWER)
def notifications(request: TenantRequest) -> HttpResponse:
    """Everything that a member was told here, newest first. The list polls this same address."""
    seen = version_at(area_version(AREA), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    mine = Notification.objects.in_bell_of(request.user.pk)
    rows = mine.unread() if is_of_unread(request) else mine
    page = keyset_page(rows, order_by=("-id",), cursor=request.GET.get("cursor"))
    return show_list(request, page, unread=selectors.unread_count(request.membership), page_version=seen)


@require_GET
@tenant_view(Role.VIEWER)
def bell(request: TenantRequest) -> HttpResponse:
    """What opens below the bell: the newest, as a fragment of any page."""
    return _show_bell(request)


@require_GET
@tenant_view(Role.VIEWER)
def unread(request: TenantRequest) -> HttpResponse:
    """The figure on the bell, which an open page asks for."""
    number = selectors.unread_count(request.membership)
    if is_unchanged(request, number or "0"):
        return HttpResponse(status=204)
    return render(request, "notifications/_unread.html", {"unread": number})


@require_POST
@tenant_view(Role.VIEWER)
def open_page(request: TenantRequest, notification_id: int) -> HttpResponse:
    """Open the page that a notification is about; it is read then."""
    row = get_object_or_404(Notification.objects.filter(user=request.user), pk=notification_id)
    services.mark_read(row)
    return redirect(row.path)


@require_POST
@tenant_view(Role.VIEWER)
def read_all(request: TenantRequest) -> HttpResponse:
    services.mark_all_read(request.membership)
    if request.htmx:
        return _show_bell(request)
    return redirect("notifications:list", slug=request.tenant.slug)


def _show_bell(request: TenantRequest) -> HttpResponse:
    rows = Notification.objects.in_bell_of(request.user.pk)[:IN_BELL]
    return render(request, "notifications/_bell.html", {"rows": rows, "unread": selectors.unread_count(request.membership)})
