from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from portal.calendars import feeds
from portal.calendars.ical import calendar_answer, calendar_of
from portal.questionnaires.ical import nearest_dates, occasion_of
from portal.questionnaires.models import CalendarFeed, Questionnaire
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope


@require_POST
@tenant_view(Role.ANALYST)
def own_feed(request: TenantRequest) -> HttpResponse:
    """Make one's own feed, give it another address, or revoke it."""
    if "revoke" not in request.POST:
        feeds.renew_feed(CalendarFeed, request.membership)
        messages.success(request, "Calendar link created. Anyone who has it can read it.")
    elif feeds.revoke_feed(CalendarFeed, request.membership):
        messages.success(request, "Calendar link revoked.")
    else:
        messages.info(request, "There was no calendar link to revoke.")
    return redirect(reverse("questionnaires:clocks", args=[request.tenant.slug]) + "#feed")


@require_safe
@login_not_required
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """The dates of a tenant for the calendar of a member, who is known by the address alone."""
    feed = feeds.open_feed(CalendarFeed, token)
    if feed is None:
        raise Http404("no such feed, or it was revoked")

    def url_of(questionnaire: Questionnaire) -> str:
        path = reverse("questionnaires:questionnaire", args=[feed.tenant.slug, questionnaire.platform_id])
        return f"{settings.PUBLIC_URL}{path}"

    with tenant_scope(feed.tenant_id):
        occasions = [occasion_of(date, url_of(date.questionnaire)) for date in nearest_dates(timezone.now())]
        content = calendar_of(f"Questionnaires of {feed.tenant}", occasions, product="Questionnaires")
    return calendar_answer(content, "questionnaires.ics")
