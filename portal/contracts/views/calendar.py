from datetime import date
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST, require_safe

from portal.calendars import feeds
from portal.calendars.ical import calendar_answer, calendar_of
from portal.calendars.months import month_of, neighbours
from portal.contracts import key_dates
from portal.contracts.models import ContractFeed
from portal.contracts.views.pages import page_version
from portal.page_refresh.services import is_unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope


@require_GET
@tenant_view(Role.VIEWER)
@cache_control(no_store=True)  # it shows an address that opens without signing in
def calendar(request: TenantRequest) -> HttpResponse:
    """What ends, renews and wants notice in a month. The month polls this same address while it is open."""
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    month = month_of(request.GET.get("month", ""))
    weeks, day = key_dates.weeks_of(month), _day_of(request.GET.get("day", ""), month)
    total = sum(each.number for week in weeks for each in week if each.is_of_month)
    entries = key_dates.entries(day or month, day or key_dates.end_of(month))
    before, after = neighbours(month)
    may_feed = request.membership.may(Role.ANALYST)
    feed = ContractFeed.objects.filter(membership=request.membership).first() if may_feed else None
    context: dict[str, Any] = {
        "month": month,
        "month_key": f"{month:%Y-%m}",
        "weeks": weeks,
        "total": total,
        "day": day,
        "entries": entries,
        "more": max(total - len(entries), 0) if not day else 0,
        "before": before,
        "after": after,
        "may_feed": may_feed,
        "feed": feed,
        "feed_url": settings.PUBLIC_URL + reverse("contract_calendar", args=[feed.token]) if feed else "",
        "page_version": seen,
    }
    return render(request, f"contracts/calendar.html{'#month' if request.htmx else ''}", context)


def _day_of(text: str, month: date) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if (day.year, day.month) == (month.year, month.month) else None


@require_POST
@tenant_view(Role.ANALYST)
def own_feed(request: TenantRequest) -> HttpResponse:
    """Make one's own feed, give it another address, or revoke it."""
    if "revoke" not in request.POST:
        feeds.renew_feed(ContractFeed, request.membership)
        messages.success(request, "Calendar link created. Anyone who has it can read your calendar feed.")
    elif feeds.revoke_feed(ContractFeed, request.membership):
        messages.success(request, "Calendar link revoked. It no longer works.")
    else:
        messages.info(request, "There was no calendar link to revoke.")
    return redirect(reverse("contracts:calendar", args=[request.tenant.slug]) + "#feed")


@require_safe
@login_not_required
def contract_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The dates of a tenant's contracts for the calendar of a member, who is known by the address alone."""
    feed = feeds.open_feed(ContractFeed, token)
    if feed is None:
        raise Http404("no such feed, or it was revoked")

    def url_of(platform_id: str) -> str:
        return settings.PUBLIC_URL + reverse("contracts:detail", args=[feed.tenant.slug, platform_id])

    with tenant_scope(feed.tenant_id):
        occasions = key_dates.occasions(timezone.localdate(), url_of)
        content = calendar_of(f"Contracts of {feed.tenant}", occasions, product="Contracts")
    return calendar_answer(content, "contracts.ics")
