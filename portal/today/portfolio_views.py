from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET, require_POST

from portal.lib.counted import counted
from portal.page_refresh.services import is_unchanged, version_at
from portal.saved_views.forms import ViewForm
from portal.saved_views.models import OwnView
from portal.saved_views.services import NotSaved, delete_own_view, save_own_view
from portal.saved_views.views import NO_NAME
from portal.tenants.access import TenantRequest, opened_memberships, tenant_view
from portal.tenants.models import Membership, Role
from portal.today import selectors
from portal.today.filters import PORTFOLIO_TABS, PortfolioFilters
from portal.today.portfolio import (
    catch_up_all,
    queue_of,
    scheduled_everywhere,
    undo_everywhere,
    version_of,
)
from portal.today.views import AREAS, STEP_MINUTES
from portal.today.work import SNOOZES, Refused, act
from portal.ui.toasts import toast
from portal.users.dates import as_read_by
from portal.users.requests import SignedInRequest
from portal.work_items.models import WorkItem

KEY = "portfolio"
TENANT_AREAS = (*AREAS, "inbox")
"""Beside each tenant stands whether its events come in."""
WORST = 5
"""Tenants above the queue: those that need somebody most. All of them stand below it."""


@require_GET
def portfolio(request: SignedInRequest) -> HttpResponse:
    """The work of all tenants of a person as one queue, and beside it how each of them is doing.

    Who has a single tenant has its Today.
    """
    opened, shut = opened_memberships(request)
    # A page that is open asks for a fragment of itself, whatever has become of the other tenants.
    if not request.htmx and len(every := [*opened, *shut]) == 1:
        return redirect("today:today", slug=every[0].tenant.slug)
    response = _show(request, opened, shut)
    # One address answers with a page or with a fragment of it.
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
    """Take back what this person decided or confirmed, where it has not left yet, in all their tenants."""
    opened, _ = opened_memberships(request)
    number = undo_everywhere(opened, user_id=request.user.pk)
    if number:
        return _answer(request, f"{counted(number, 'decision')} undone")
    return _answer(request, "Nothing was left to undo", tone="warn")


@require_POST
def save_view(request: SignedInRequest) -> HttpResponse:
    """Keep the filters in the query of this address for oneself, and return to the queue as it was."""
    form, filters = ViewForm(request.POST), PortfolioFilters.read(request.GET)
    if not form.is_valid():
        messages.error(request, f"The view was not saved. {NO_NAME}")
    else:
        name, query = form.cleaned_data["name"], filters.query().removeprefix("?")
        try:
            messages.success(request, f"Saved: {save_own_view(request.user, KEY, name, query=query)}.")
        except NotSaved as refusal:
            messages.error(request, str(refusal))
    return redirect(reverse("portfolio") + filters.query())


@require_POST
def delete_view(request: SignedInRequest, view_id: int) -> HttpResponse:
    name = delete_own_view(request.user, KEY, view_id)
    if name is None:
        raise Http404("no such view")
    messages.success(request, f"Deleted: {name}.")
    return redirect("portfolio")


def _show(request: SignedInRequest, opened: list[Membership], shut: list[Membership], *, status: int = 200) -> HttpResponse:
    with as_read_by(request.user):
        step = int(timezone.now().timestamp()) // (60 * STEP_MINUTES)
        seen = version_at(version_of(opened, TENANT_AREAS) + f".{step}", _query(request))
        if request.method == "GET" and request.htmx and is_unchanged(request, seen):
            return HttpResponse(status=204)
        catch_up_all(opened)
        queue = queue_of(opened, user_id=request.user.pk, filters=PortfolioFilters.read(request.GET))
        found, filters = queue.page(request.GET.get("cursor")), queue.filters
        tenants = sorted((each.tenant for each in opened), key=lambda tenant: tenant.name.casefold())
        lines = selectors.portfolio(opened, user_id=request.user.pk)
        context = {
            "found": found,
            "filters": filters,
            "tenants": tenants,
            "selects": filters.selects_among(tenants),
            "saved": OwnView.objects.filter(owner=request.user, list_key=KEY),
            "own_query": filters.query().removeprefix("?"),
            "form": ViewForm(auto_id="view-of-portfolio-%s"),
            "tabs": filters.tabs(PORTFOLIO_TABS, found.counts, path=reverse("portfolio")),
            "query": _query(request),
            "snoozes": SNOOZES,
            "scheduled": scheduled_everywhere(opened, user_id=request.user.pk),
            "page_version": seen,
            "lines": lines,
            "worst": lines[:WORST],
            "budgets": selectors.budgets(lines),
            "shut": shut,
        }
        if request.htmx:
            return render(request, "today/portfolio.html#queue", context, status=status)
        sources = [each.tenant for each in opened if each.may(Role.ADMIN)]
        context["sources"] = sources if len(sources) > 1 else []
        return render(request, "today/portfolio.html", context, status=status)


def _answer(request: SignedInRequest, words: str, *, tone: str = "good") -> HttpResponse:
    if request.htmx:
        return toast(_show(request, *opened_memberships(request), status=422 if tone == "bad" else 200), words, tone=tone)
    (messages.error if tone == "bad" else messages.success)(request, words)
    return redirect(reverse("portfolio") + _query(request))


def _query(request: SignedInRequest) -> str:
    query = request.GET.urlencode()
    return f"?{query}" if query else ""
