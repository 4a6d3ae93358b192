from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.lib.counted import counted
from portal.page_refresh.services import is_unchanged, stamp_at
from portal.tenants.access import TenantRequest, opened_memberships, tenant_view
from portal.tenants.models import Role
from portal.today import selectors
from portal.today.copying import calendar_of, copies_to, copy_to
from portal.today.filters import PORTFOLIO_TABS, PortfolioFilters
from portal.today.portfolio import (
    catch_up_all,
    held_everywhere,
    queue_of,
    undo_everywhere,
    version_of,
)
from portal.today.views import AREAS, STEP_MINUTES
from portal.today.work import SNOOZES, Refused, act
from portal.ui.toasts import toast
from portal.users.dates import as_read_by
from portal.users.requests import SignedInRequest
from portal.work_items.models import WorkItem


@require_GET
def portfolio(request: SignedInRequest) -> HttpResponse:
    """The work of all tenants of a person as one queue, and beside it how each of them is doing.

    Who has a single tenant has its Today.
    """
    opened, shut = opened_memberships(request)
    # A page that is open asks for a piece of itself, whatever has become of the other tenants.
    if not request.htmx and len(every := [*opened, *shut]) == 1:
        return redirect("today:today", slug=every[0].tenant.slug)
    response = _show(request)
    # One address answers with a page or with a piece of it.
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
@tenant_view(Role.ANALYST)
def act_from_portfolio(request: TenantRequest, item_id: int, action: str) -> HttpResponse:
    """Do something about one item of one tenant, from its row in the queue of all of them."""
    item = get_object_or_404(WorkItem, pk=item_id)
    choice = {"value": request.POST.get("value", "")}
    try:
        words = act(item, action, member=request.membership, choice=choice, slug=request.tenant.slug)
    except Refused as refused:
        return _answer(request, f"{request.tenant}: {refused}", tone="bad")
    return _answer(request, f"{request.tenant}: {words}")


@require_POST
def undo_decisions_everywhere(request: SignedInRequest) -> HttpResponse:
    """Take back every decision of this person that has not left yet, in all their tenants."""
    opened, _ = opened_memberships(request)
    number = undo_everywhere(opened)
    if number:
        return _answer(request, f"{counted(number, 'decision')} undone")
    return _answer(request, "It was sent already", tone="warn")


def _show(request: SignedInRequest, *, status: int = 200) -> HttpResponse:
    opened, shut = opened_memberships(request)
    with as_read_by(request.user):
        step = int(timezone.now().timestamp()) // (60 * STEP_MINUTES)
        seen = stamp_at(f"{version_of(opened, AREAS)}.{step}", _query(request))
        if request.method == "GET" and request.htmx and is_unchanged(request, seen):
            return HttpResponse(status=204)
        catch_up_all(opened)
        queue = queue_of(opened, user_id=request.user.pk, filters=PortfolioFilters.read(request.GET))
        found, filters = queue.page(request.GET.get("cursor")), queue.filters
        context = {
            "found": found,
            "filters": filters,
            "tenants": sorted((each.tenant for each in opened), key=lambda tenant: tenant.name.casefold()),
            "tabs": filters.tabs(PORTFOLIO_TABS, found.counts, path=reverse("portfolio")),
            "query": _query(request),
            "snoozes": SNOOZES,
            "held": held_everywhere(opened, user_id=request.user.pk),
            "stamp": seen,
        }
        if request.htmx:
            return render(request, "today/portfolio.html#queue", context, status=status)
        sources = [each.tenant for each in opened if each.may(Role.ADMIN)]
        lines = selectors.portfolio(opened)
        context |= {"lines": lines, "budgets": selectors.budgets(lines), "shut": shut}
        context["sources"] = sources if len(sources) > 1 else []
        return render(request, "today/portfolio.html", context, status=status)


def _answer(request: SignedInRequest, words: str, *, tone: str = "good") -> HttpResponse:
    if request.htmx:
        return toast(_show(request, status=422 if tone == "bad" else 200), words, tone=tone)
    (messages.error if tone == "bad" else messages.success)(request, words)
    return redirect(reverse("portfolio") + _query(request))


def _query(request: SignedInRequest) -> str:
    query = request.GET.urlencode()
    return f"?{query}" if query else ""


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ADMIN)
def copy_hours(request: TenantRequest) -> HttpResponse:
    """Copy the office hours of this tenant to others of this person: what each becomes is shown first."""
    opened, _ = opened_memberships(request)
    if request.method == "POST":
        by_slug = {each.tenant.slug: each for each in opened if each.may(Role.ADMIN)}
        done: list[str] = []
        missed: list[str] = []
        for value in request.POST.getlist("chosen"):
            if (target := by_slug.get(value.partition(":")[0])) and target.tenant_id != request.tenant.pk:
                (done if copy_to(request.membership, target, value=value) else missed).append(str(target.tenant))
        if done:
            messages.success(request, f"Copied to {', '.join(done)}.")
        if missed:
            messages.error(request, f"Not copied to {', '.join(missed)}: the hours were changed meanwhile. Look again.")
        if not done and not missed:
            messages.error(request, "Nothing was copied: select at least one tenant.")
        return redirect("today:copy_hours", slug=request.tenant.slug)
    given = calendar_of(request.membership)
    context = {"given": given, "holidays": len(given.holidays), "copies": copies_to(request.membership, opened)}
    return render(request, "today/copy_hours.html", context)
