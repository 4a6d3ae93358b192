from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests.services import undo_all
from portal.connections.services import connection_of_tenant
from portal.lib.counted import counted
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.today import selectors
from portal.today.filters import WorkFilters
from portal.today.work import LABELS, SNOOZES, Refused, act, label_of, names_for, scheduled_decisions, work
from portal.ui.toasts import toast
from portal.work_items.models import WorkItem
from portal.work_items.selectors import MINE, SNOOZED, TEAM, Queue
from portal.work_items.services import catch_up_for_page, left_at, note_visit

AREAS = (
    *("work_items", "questionnaires", "access_requests", "deletion_requests", "contracts", "incidents", "accounts"),
    *("connection", "sync", "exports", "tags"),
)
STEP_MINUTES = 5
"""So often an open page is drawn anew although nothing has changed: what was due today is overdue by then."""


@require_GET
@tenant_view(Role.VIEWER)
def today(request: TenantRequest) -> HttpResponse:
    """What is to do in one tenant, over all desks: one's own work, or the team's."""
    if request.htmx and request.headers.get("Seen") and is_unchanged(request, _page_version(request)):
        return HttpResponse(status=204)
    return show_today(request)


def show_today(request: TenantRequest, *, status: int = 200) -> HttpResponse:
    """Show the page, or the part of it that changes."""
    catch_up_for_page()
    now, filters = timezone.now(), WorkFilters.read(request.GET)
    queue = Queue(
        member=request.membership,
        now=now,
        is_team=filters.is_team,
        desk=filters.desk,
        left_at=left_at(request.membership.user_id, now),
    )
    seen, connection = _page_version(request), connection_of_tenant()
    copies = selectors.copies(connection)
    found = work(queue, tab=filters.tab, cursor=request.GET.get("cursor"))
    address = reverse("today:today", args=[request.tenant.slug])
    labels = {"": "All"} | {name: label_of(name, is_team=filters.is_team) for name in LABELS}
    counts = {"": found.total} | found.counts
    if not found.counts[SNOOZED] and filters.tab != SNOOZED:
        labels.pop(SNOOZED)
    context = {
        "connection": connection,
        "copies": copies,
        "is_known": copies.least_known.is_known,
        "work": found,
        "filters": filters,
        "has_rows": any(section.rows for section in found.sections),
        "team_url": address + WorkFilters(whose="team").query(),
        "whose": [
            (label, filters.link(whose=whose, tab=""), (name == TEAM) == filters.is_team, found.counts[name])
            for label, whose, name in (("Mine", "", MINE), ("Team", "team", TEAM))
        ],
        "tabs": filters.tabs(labels, counts, path=address),
        "address": address,
        "query": _query(request),
        "page_address": address + _query(request),
        "snoozes": SNOOZES,
        "is_snoozed_tab": filters.tab == SNOOZED,
        "scheduled": scheduled_decisions(request.user),
        "now": now,
        "page_version": seen,
    }
    template = "today/today.html#work" if request.htmx else "today/today.html"
    return render(request, template, context, status=status)


@require_GET
@tenant_view(Role.ANALYST)
def names(request: TenantRequest, action: str) -> HttpResponse:
    """The names that can be typed for an action: asked for once somebody is about to type one."""
    try:
        options = names_for(action, request.membership)
    except LookupError as error:
        raise Http404("no such action") from error
    return render(request, "today/_names.html", {"options": options})


@require_POST
@tenant_view(Role.VIEWER)
def note_seen(request: TenantRequest) -> HttpResponse:
    """Write down that the page was opened: what comes from now on is new to its reader the next time."""
    note_visit(request.membership.user_id, timezone.now())
    return HttpResponse(status=204)


@require_POST
@tenant_view(Role.ANALYST)
def act_on_item(request: TenantRequest, item_id: int, action: str) -> HttpResponse:
    """Do something about one item, from its row."""
    item = get_object_or_404(WorkItem, pk=item_id)
    choice = {"value": request.POST.get("value", "")}
    try:
        words = act(item, action, member=request.membership, choice=choice, slug=request.tenant.slug)
    except Refused as refused:
        return _answer(request, str(refused), tone="bad")
    return _answer(request, words)


@require_POST
@tenant_view(Role.APPROVER)
def undo_decisions(request: TenantRequest) -> HttpResponse:
    """Take back what this person decided or confirmed, where it has not left yet."""
    number = undo_all(request.membership)
    return _answer(
        request,
        f"{counted(number, 'decision')} undone" if number else "Nothing was left to undo",
        tone="good" if number else "warn",
    )


def _answer(request: TenantRequest, words: str, *, tone: str = "good") -> HttpResponse:
    if request.htmx:
        return toast(show_today(request, status=422 if tone == "bad" else 200), words, tone=tone)
    (messages.error if tone == "bad" else messages.success)(request, words)
    return redirect(reverse("today:today", args=[request.tenant.slug]) + _query(request))


def _query(request: TenantRequest) -> str:
    query = request.GET.urlencode()
    return f"?{query}" if query else ""


def _page_version(request: TenantRequest) -> str:
    now = timezone.now()
    version = area_version(*AREAS) + f".{int(now.timestamp()) // (60 * STEP_MINUTES)}"
    return version_at(version, _query(request))
