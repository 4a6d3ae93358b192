from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.questionnaires import services
from portal.questionnaires.models import StatusLink
from portal.questionnaires.public_status import status_for_requester
from portal.questionnaires.views.experts import private, unknown_link
from portal.questionnaires.views.rendering import find
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope


def public_url(link: StatusLink) -> str:
    return settings.PUBLIC_URL + reverse("status", args=[link.token])


@require_POST
@tenant_view(Role.ANALYST)
def status_link(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Make the link for the requester, or revoke it."""
    found = find(platform_id)
    if "revoke" not in request.POST:
        services.share_status(found, member=request.membership)
        messages.success(request, "Status link created. Anyone who has it can open it.")
    elif services.revoke_status(found, member=request.membership):
        messages.success(request, "Status link revoked.")
    else:
        messages.info(request, "There was no status link to revoke.")
    return redirect("questionnaires:details", slug=request.tenant.slug, platform_id=platform_id)


@require_GET
@login_not_required
def status(request: HttpRequest, token: str) -> HttpResponse:
    """How far a questionnaire is, for the requester; nothing of its content."""
    link = services.open_link(token)
    if link is None:
        return unknown_link(request)
    with tenant_scope(link.tenant_id):
        context = {"tenant": link.tenant, "questionnaire": link.questionnaire, "told": status_for_requester(link.questionnaire)}
        answer = render(request, "questionnaires/status.html", context)
    answer = private(answer)
    answer["Referrer-Policy"] = "no-referrer"
    return answer
