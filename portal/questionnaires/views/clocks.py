from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST

from portal.calendars.models import Feed
from portal.calendars.selectors import office_hours, office_time
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.questionnaires import clock_selectors as selectors
from portal.questionnaires import services
from portal.questionnaires.clocks import Turn
from portal.questionnaires.forms import PriorityForm, TargetForm, TargetHoursForm, WarningForm
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.questionnaires.models import CalendarFeed, ClockSettings, Questionnaire, Target
from portal.questionnaires.views.rendering import find
from portal.questionnaires.views.steps import step
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Membership, Role


@require_GET
@tenant_view(Role.VIEWER)
@cache_control(no_store=True)  # it shows an address that opens without signing in
def clocks(request: TenantRequest) -> HttpResponse:
    """Open questionnaires with a target, the most pressing first."""
    seen = version_at(area_version("questionnaires", "connection", "sync"), request.get_full_path(), "clocks")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    now, hours = timezone.now(), office_time()
    show = request.GET.get("show", "")
    show = show if show in dict(selectors.SHOWS) else ""
    page, rows = selectors.clock_page(show, hours, now=now, cursor=request.GET.get("cursor"))
    context: dict[str, Any] = {
        "page_version": seen,
        "show": show,
        "tabs": selectors.clock_tabs(show, now=now),
        "page": page,
        "rows": rows,
        "turns": [turn for turn in Turn if turn != Turn.DONE],
        "readiness": readiness(QUESTIONNAIRE),
        "has_targets": Target.objects.exists(),
        "are_clocks_stale": services.are_clocks_stale(),
        "bar_width": selectors.BAR_WIDTH,
    }
    if not request.htmx and request.membership.may(Role.ANALYST):
        if rows:
            services.ask_for_labels(may_be_first=False)
        context["may_feed"] = True
        feed = CalendarFeed.objects.filter(membership=request.membership).first()
        context["feed"], context["feed_url"] = feed, feed and feed_url(feed)
    return render(request, f"questionnaires/clocks.html{'#results' if request.htmx else ''}", context)


def feed_url(feed: Feed) -> str:
    return settings.PUBLIC_URL + reverse("calendar_feed", args=[feed.token])


@require_GET
@tenant_view(Role.VIEWER)
def targets(request: TenantRequest) -> HttpResponse:
    """All targets; everybody reads them, admins change them."""
    if request.membership.may(Role.ADMIN) and Questionnaire.objects.exists():
        services.ask_for_labels(may_be_first=True)
    return show_targets(request)


@require_POST
@tenant_view(Role.ADMIN)
def add_target(request: TenantRequest) -> HttpResponse:
    form = TargetForm(request.POST)
    if not form.is_valid():
        return show_targets(request, form=form)
    try:
        target = services.add_target(
            form.cleaned_data["condition"], hours=form.cleaned_data["hours"], member=request.membership
        )
    except services.NotAllowed as refusal:
        form.add_error(None, str(refusal))
        return show_targets(request, form=form)
    messages.success(request, f"Added: {target}.")
    return redirect("questionnaires:targets", slug=request.tenant.slug)


def show_targets(request: TenantRequest, *, form: TargetForm | None = None) -> HttpResponse:
    warning = ClockSettings.objects.first() or ClockSettings()
    context = {
        "targets": selectors.targets_shown(),
        "form": form or TargetForm(),
        "warning_form": WarningForm(initial={"percent": warning.warn_percent}, auto_id="warning-%s"),
        "warn_percent": warning.warn_percent,
        "office_hours": office_hours(),
        "office_time": office_time(),
        "are_clocks_stale": services.are_clocks_stale(),
        "may_change": request.membership.may(Role.ADMIN),
    }
    return render(request, "questionnaires/targets.html", context, status=422 if form else 200)


@require_POST
@tenant_view(Role.ADMIN)
def change_target(request: TenantRequest, target_id: int) -> HttpResponse:
    target, form = get_object_or_404(Target, pk=target_id), TargetHoursForm(request.POST)
    if form.is_valid():
        target = services.change_target(target, hours=form.cleaned_data["hours"], member=request.membership)
        messages.success(request, f"Changed: {target}.")
    else:
        messages.error(request, "Nothing was changed. Enter a number of office hours from 1 to 9,999.")
    return redirect("questionnaires:targets", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def delete_target(request: TenantRequest, target_id: int) -> HttpResponse:
    target = get_object_or_404(Target, pk=target_id)
    services.delete_target(target, member=request.membership)
    messages.success(request, f"Deleted: {target}.")
    return redirect("questionnaires:targets", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def set_warning(request: TenantRequest) -> HttpResponse:
    form = WarningForm(request.POST)
    if form.is_valid():
        services.set_warning(form.cleaned_data["percent"], member=request.membership)
        messages.success(request, "Warning saved.")
    else:
        messages.error(request, "Nothing was changed. Choose when to warn.")
    return redirect("questionnaires:targets", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ANALYST)
def set_priority(request: TenantRequest, platform_id: str) -> HttpResponse:
    def change(questionnaire: Questionnaire, *, member: Membership, priority: Any) -> Questionnaire:
        return services.set_priority(questionnaire, member=member, priority=priority)

    return step(
        request, find(platform_id), PriorityForm(request.POST), change, words=lambda after: f"Priority: {after.priority_label}"
    )
