from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.notifications import selectors, services
from portal.notifications.kinds import PERSONAL, TEAM
from portal.notifications.views.team_channels import may_test
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.toasts import toast


@require_GET
@tenant_view(Role.VIEWER)
def preferences(request: TenantRequest) -> HttpResponse:
    """What a member is told in this tenant, by which channel, and when; and the same for the team."""
    user_id, team = request.user.pk, selectors.team_channels()
    context = {
        "table": selectors.preferences_of(user_id),
        "is_quiet": selectors.is_quiet(user_id),
        "last": selectors.last_email(user_id),
        "personal": PERSONAL,
        "team": [(channel, team.get(channel)) for channel in TEAM],
        "team_channels": [*team],
        "team_table": selectors.preferences_of_team([*team]),
        "may_set_up": request.membership.role >= Role.ADMIN,
    }
    return render(request, "notifications/preferences.html", context)


@require_POST
@tenant_view(Role.VIEWER)
def choose(request: TenantRequest) -> HttpResponse:
    """Keep what was chosen: every select of the table saves itself, and without a script its button saves them all."""
    return _keep(request, lambda **choice: services.set_preference(request.membership, **choice))


@require_POST
@tenant_view(Role.ADMIN)
def choose_for_team(request: TenantRequest) -> HttpResponse:
    return _keep(request, lambda **choice: services.set_team_preference(request.membership, **choice))


def _keep(request: TenantRequest, save: Callable[..., None]) -> HttpResponse:
    chosen = {name: value for name, value in request.POST.dict().items() if name.count(":") == 1}
    try:
        for name, frequency in chosen.items():
            kind, _, channel = name.partition(":")
            save(kind=kind, channel=channel, frequency=frequency)
    except services.NotOffered:
        return HttpResponse("This option isn't available.", status=400, content_type="text/plain")
    if request.htmx:
        return toast(HttpResponse(status=204), "Saved")
    messages.success(request, "Saved.")
    return redirect("notification_settings:preferences", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.VIEWER)
def quiet(request: TenantRequest) -> HttpResponse:
    services.set_quiet(request.membership, is_quiet=request.POST.get("quiet") == "1")
    messages.success(request, "Saved.")
    return redirect("notification_settings:preferences", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.VIEWER)
def test(request: TenantRequest) -> HttpResponse:
    """Send a mail now, to see that it arrives."""
    if not may_test(request):
        return redirect("notification_settings:preferences", slug=request.tenant.slug)
    try:
        services.send_test(request.membership)
    except services.NotDelivered:
        messages.error(
            request, "The mail server didn't accept the test. Ask the people who run this portal to check its email settings."
        )
    else:
        messages.success(request, f"Test sent to {request.user.email}.")
    return redirect("notification_settings:preferences", slug=request.tenant.slug)
