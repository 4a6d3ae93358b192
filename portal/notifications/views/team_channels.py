from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.lib.sealed import Locked
from portal.notifications import services, slack_manifest
from portal.notifications.forms import SlackAppForm, TeamChannelForm
from portal.notifications.http import NotConfirmed, NotTaken
from portal.notifications.kinds import TEAM, Channel
from portal.notifications.models import TeamChannel
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ADMIN, asks_again=True)
def channel(request: TenantRequest, channel: str) -> HttpResponse:
    """Where the team reads: its address, and for a webhook what it is signed with."""
    if channel not in TEAM:
        raise Http404
    row = TeamChannel.objects.filter(channel=channel).first()
    if row and row.has_app:
        return redirect("notification_settings:slack_app", slug=request.tenant.slug)
    form = TeamChannelForm(request.POST or None, kind=Channel(channel), row=row)
    if request.method == "POST" and form.is_valid() and (saved := _set_up(request, form)):
        return _test(request, saved)
    context = {"form": form, "channel": Channel(channel), "row": row, "secret": _secret(row)}
    return render(request, "notifications/team_channel.html", context, status=422 if form.errors else 200)


def _set_up(request: TenantRequest, form: TeamChannelForm) -> TeamChannel | None:
    try:
        return services.set_up(form.kind, actor=request.membership, **form.cleaned_data)
    except services.NotAnAddress:
        form.add_error("url", form.advice)
        return None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ADMIN, asks_again=True)
def slack_app(request: TenantRequest) -> HttpResponse:
    """The tenant's own app in Slack, with which its team decides there."""
    row = TeamChannel.objects.filter(channel=Channel.SLACK).first()
    form = SlackAppForm(request.POST or None, row=row)
    if request.method == "POST" and form.is_valid() and (saved := _set_up_app(request, form)):
        return _test(request, saved)
    url = f"{settings.PUBLIC_URL}{reverse('slack_interaction', args=[request.tenant.slug])}"
    context = {"form": form, "row": row, "interaction_url": url, "create_url": slack_manifest.create_url(url)}
    return render(request, "notifications/slack_app.html", context, status=422 if form.errors else 200)


def _set_up_app(request: TenantRequest, form: SlackAppForm) -> TeamChannel | None:
    try:
        return services.set_up_app(actor=request.membership, **form.cleaned_data)
    except NotTaken as refused:
        form.add_error("token", refused.description)
    except NotConfirmed as late:
        form.add_error(None, str(late))
    return None


def _secret(row: TeamChannel | None) -> str:
    try:
        return row.open("secret") if row and row.secret else ""
    except Locked:
        return ""


@require_POST
@tenant_view(Role.ADMIN)
def test_channel(request: TenantRequest, channel: str) -> HttpResponse:
    """Post a test to the team."""
    return _test(request, _found(channel))


def may_test(request: TenantRequest) -> bool:
    """Count a test of this person; False after too many, and then say so (guarantee S9)."""
    if ratelimit.consume(request, action="test_message"):
        return True
    messages.error(request, "No test was sent: that was too many. Try again in a few minutes.")
    return False


def _test(request: TenantRequest, row: TeamChannel) -> HttpResponse:
    address = reverse("notification_settings:preferences", args=[request.tenant.slug])
    if not may_test(request):
        return redirect(address)
    if trouble := services.send_test_message(row, url=f"{settings.PUBLIC_URL}{address}"):
        messages.error(request, f"The test didn't arrive. {trouble}")
    else:
        messages.success(request, f"Test sent to {row}.")
    return redirect(address)


@require_POST
@tenant_view(Role.ADMIN, asks_again=True)
def new_secret(request: TenantRequest, channel: str) -> HttpResponse:
    row = _found(channel)
    services.replace_secret(row, actor=request.membership)
    messages.success(request, "New secret created. Webhooks are signed with it from now on.")
    return redirect("notification_settings:channel", slug=request.tenant.slug, channel=channel)


@require_POST
@tenant_view(Role.ADMIN)
def remove_channel(request: TenantRequest, channel: str) -> HttpResponse:
    row = _found(channel)
    services.remove(row, actor=request.membership)
    messages.success(request, f"{row} removed.")
    return redirect("notification_settings:preferences", slug=request.tenant.slug)


def _found(channel: str) -> TeamChannel:
    row: TeamChannel = get_object_or_404(TeamChannel, channel=channel)
    return row
