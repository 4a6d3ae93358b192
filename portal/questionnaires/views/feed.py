from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from portal.questionnaires import services
from portal.questionnaires.ical import calendar_of, nearest_dates
from portal.questionnaires.models import Questionnaire
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope


@require_POST
@tenant_view(Role.ANALYST)
def own_feed(request: TenantRequest) -> HttpResponse:
    """Make one's own feed, give it another address, or revoke it."""
    if "revoke" not in request.POST:
        services.renew_feed(request.membership)
        messages.success(request, "The address of your calendar feed is ready. Whoever has it can read it.")
    elif services.revoke_feed(request.membership):
        messages.success(request, "The address of your calendar feed leads nowhere any more.")
    else:
        messages.info(request, "There was no calendar feed any more.")
    return redirect(reverse("questionnaires:clocks", args=[request.tenant.slug]) + "#feed")


@require_safe
@login_not_required
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """The dates of a tenant for the calendar of a member, who is known by the address alone."""
    feed = services.open_feed(token)
    if feed is None:
        raise Http404("no such feed, or it was revoked")

    def url_of(questionnaire: Questionnaire) -> str:
        path = reverse("questionnaires:questionnaire", args=[feed.tenant.slug, questionnaire.platform_id])
        return f"{settings.PUBLIC_URL}{path}"

    with tenant_scope(feed.tenant_id):
        host = urlsplit(settings.PUBLIC_URL).hostname or "portal"
        content = calendar_of(f"Questionnaires of {feed.tenant}", nearest_dates(timezone.now()), host=host, url_of=url_of)
    answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = 'inline; filename="questionnaires.ics"'
    patch_cache_control(answer, private=True, no_store=True)
    answer["X-Robots-Tag"] = "noindex"
    answer["Referrer-Policy"] = "no-referrer"
    return answer
