from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.accounts.models import Account
from portal.accounts.services import ACCOUNT
from portal.accounts.services import AREA as ACCOUNTS
from portal.customers import duplicates, selectors, services
from portal.customers.services.outcomes import AREA
from portal.lib.storable import storable_text
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_api.identifiers import is_identifier
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_filters import clean_text

MAX_FOUND = 20


@require_GET
@tenant_view(Role.VIEWER)
def duplicate_list(request: TenantRequest) -> HttpResponse:
    """Accounts that may be one customer. The list polls this same address while it is open."""
    seen = version_at(area_version(AREA, ACCOUNTS, "connection", "sync"), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    found, shows_dismissed = duplicates.suggested(), request.GET.get("show") == "dismissed"
    context = {
        "pairs": found.dismissed if shows_dismissed else found.open,
        "tabs": [
            {"label": "Open", "count": len(found.open) + found.more, "url": "?", "is_current": not shows_dismissed},
            {"label": "Dismissed", "count": len(found.dismissed), "url": "?show=dismissed", "is_current": shows_dismissed},
        ],
        "more": 0 if shows_dismissed else found.more,
        "shows_dismissed": shows_dismissed,
        "readiness": readiness(ACCOUNT),
        "is_analyst": request.membership.may(Role.ANALYST),
        "is_approver": request.membership.may(Role.APPROVER),
        "page_version": seen,
    }
    return render(request, f"customers/duplicates.html{'#duplicates' if request.htmx else ''}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.APPROVER)
def merge(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Choose the other account, look at both side by side, and say which of them is the main one."""
    account = get_object_or_404(Account, platform_id=platform_id)
    said = request.POST if request.method == "POST" else request.GET
    other = _other(account, said.get("with", ""))
    problem = ""
    if request.method == "POST" and other:
        is_turned = request.POST.get("main") == other.platform_id
        main, duplicate = (other, account) if is_turned else (account, other)
        try:
            services.merge(main, duplicate, member=request.membership)
        except services.NotMergeable as refusal:
            problem = str(refusal)
        else:
            messages.success(request, f"Merged {duplicate} into {main}. Nothing changed on the platform.")
            return redirect("customers:customer", slug=request.tenant.slug, platform_id=main.platform_id)
    context = {"account": account, "other": other, "problem": problem, **_choice(request, account, other)}
    return render(request, "customers/merge.html", context, status=422 if request.method == "POST" else 200)


def _other(account: Account, platform_id: str) -> Account | None:
    """Find the account that was chosen; None as long as none was."""
    if not platform_id or platform_id == account.platform_id:
        return None
    if not is_identifier(platform_id):
        raise Http404("no such account")
    return get_object_or_404(Account, platform_id=platform_id)


def _choice(request: TenantRequest, account: Account, other: Account | None) -> dict[str, Any]:
    """What the page shows: both of them, or those that a search finds."""
    if other:
        sides = selectors.sides(account, other)
        return {"sides": sides, "main_id": max(sides, key=lambda side: (side.total, side.is_older)).account.platform_id}
    q = clean_text(request.GET.get("q", ""))
    rows = Account.objects.of_customers().exclude(pk=account.pk).matching(q).defer("payload", "search")
    found = list(rows.order_by("name_sort", "id")[: MAX_FOUND + 1]) if q else []
    return {"q": q, "found": found[:MAX_FOUND], "has_more": len(found) > MAX_FOUND}


@require_POST
@tenant_view(Role.APPROVER)
def take_apart(request: TenantRequest, platform_id: str) -> HttpResponse:
    account = get_object_or_404(Account, platform_id=platform_id)
    main = services.take_apart(account, member=request.membership)
    if main:
        messages.success(request, f"Unmerged {account}. It is a separate customer again, with everything that belongs to it.")
    return redirect("customers:customer", slug=request.tenant.slug, platform_id=(main or account).platform_id)


@require_POST
@tenant_view(Role.APPROVER)
def make_main(request: TenantRequest, platform_id: str) -> HttpResponse:
    account = get_object_or_404(Account, platform_id=platform_id)
    services.make_main(account, member=request.membership)
    messages.success(request, f"{account} is now the main account of this customer.")
    return redirect("customers:customer", slug=request.tenant.slug, platform_id=platform_id)


@require_POST
@tenant_view(Role.ANALYST)
def dismiss_duplicates(request: TenantRequest) -> HttpResponse:
    services.say_not_duplicates(*_pair(request), member=request.membership)
    messages.success(request, "Marked as not duplicates. They will not be suggested again.")
    return redirect("customers:duplicates", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ANALYST)
def bring_back_duplicates(request: TenantRequest) -> HttpResponse:
    services.suggest_again(*_pair(request), member=request.membership)
    messages.success(request, "Suggestion restored.")
    return redirect("customers:duplicates", slug=request.tenant.slug)


def _pair(request: TenantRequest) -> tuple[str, str]:
    one, other = (
        get_object_or_404(Account, platform_id=storable_text(request.POST.get(name, ""))) for name in ("one", "other")
    )
    if one.pk == other.pk:
        raise Http404("no such pair")
    return one.platform_id, other.platform_id
