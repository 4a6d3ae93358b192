from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.accounts.services import ACCOUNT
from portal.accounts.services import AREA as ACCOUNTS
from portal.accounts.unmatched_people import NotAttached, kinds_of_people
from portal.customers import services
from portal.customers.models import Kind
from portal.customers.services.outcomes import AREA
from portal.customers.suggestions import Suggestion, inbox
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

MAX_DOMAIN_LENGTH = 320
AREAS = (AREA, ACCOUNTS, "access_requests", "connection", "sync")


@require_GET
@tenant_view(Role.VIEWER)
def suggestion_list(request: TenantRequest) -> HttpResponse:
    """People whom nobody has matched to a customer, by mail domain. The list polls this same address while it is open."""
    seen = version_at(area_version(*AREAS), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    found, shows_dismissed = inbox(), request.GET.get("show") == "dismissed"
    context = {
        "rows": _rows(found.dismissed if shows_dismissed else found.open, request.tenant.slug),
        "tabs": [
            {"label": "Open", "count": len(found.open) + found.more, "url": "?", "is_current": not shows_dismissed},
            {"label": "Dismissed", "count": len(found.dismissed), "url": "?show=dismissed", "is_current": shows_dismissed},
        ],
        "more": 0 if shows_dismissed else found.more,
        "shows_dismissed": shows_dismissed,
        "readiness": readiness(ACCOUNT, *(people.kind for people in kinds_of_people().values())),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_approver": request.membership.may(Role.APPROVER),
        "page_version": seen,
    }
    return render(request, f"customers/suggestions.html{'#suggestions' if request.htmx else ''}", context)


def _rows(suggestions: list[Suggestion], slug: str) -> list[tuple[Suggestion, list[tuple[str, str]]]]:
    return [(each, each.places(slug)) for each in suggestions]


@require_POST
@tenant_view(Role.APPROVER)
def attach(request: TenantRequest) -> HttpResponse:
    """Have the people of a domain linked to its customer, and show how far that is."""
    try:
        link = services.attach_people(_domain(request), member=request.membership)
    except NotAttached as refusal:
        messages.warning(request, f"No one was attached. {refusal}")
        return back(request)
    return redirect(link.url(request.tenant.slug))


@require_POST
@tenant_view(Role.ANALYST)
def dismiss(request: TenantRequest) -> HttpResponse:
    services.dismiss(_domain(request), _kind(request), member=request.membership)
    messages.success(request, f"Dismissed {_domain(request)}. It will not be suggested again.")
    return back(request)


@require_POST
@tenant_view(Role.ANALYST)
def bring_back(request: TenantRequest) -> HttpResponse:
    services.bring_back(_domain(request), _kind(request), member=request.membership)
    messages.success(request, f"Suggestion for {_domain(request)} restored.")
    return back(request)


def back(request: TenantRequest) -> HttpResponse:
    return redirect("customers:suggestions", slug=request.tenant.slug)


def _domain(request: TenantRequest) -> str:
    domain = request.POST.get("domain", "")
    if not domain or len(domain) > MAX_DOMAIN_LENGTH:
        raise Http404("no such email domain")
    return domain


def _kind(request: TenantRequest) -> Kind:
    try:
        return Kind(request.POST.get("kind", ""))
    except ValueError:
        raise Http404("no such suggestion") from None
