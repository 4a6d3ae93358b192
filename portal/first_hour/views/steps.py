"""The pages of the five steps. Each shows a form of the room that it is about, and ends in the next step."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.calendars.forms import HoursForm
from portal.calendars.models import OfficeHours
from portal.calendars.selectors import office_hours
from portal.calendars.services import set_hours
from portal.connections.form_actions import held_back, save_trust_center, start_consent
from portal.connections.forms import ConnectForm, TrustCenterForm
from portal.connections.services import connection_of_tenant
from portal.first_hour.pages import go_on, is_poll, step_page
from portal.first_hour.selectors import first_hour
from portal.inbox.forms import SecretForm
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.members.form_actions import send_invitation
from portal.members.forms import InviteForm
from portal.members.models import Invitation
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.ADMIN)
def connect(request: TenantRequest) -> HttpResponse:
    connection = connection_of_tenant()
    return _connect_page(request, ConnectForm(initial={"region": connection.region if connection else None}))


@require_POST
@tenant_view(Role.OWNER)
def consent(request: TenantRequest) -> HttpResponse:
    """Send the browser to the platform's consent screen, which leads back to the next step."""
    form = ConnectForm(request.POST)
    if not form.is_valid():
        return _connect_page(request, form, status=422)
    start = start_consent(request, form)
    if wait := held_back(start):
        return _connect_page(request, form, held_back=wait, status=503)
    return HttpResponseRedirect(start.url)


@require_GET
@tenant_view(Role.ADMIN)
def connected(request: TenantRequest) -> HttpResponse:
    """Go on after the consent: with the next step, or on the connection page of a tenant that is set up."""
    hour = first_hour()
    if hour.is_over or hour.next is None:
        return redirect("connections:connection", slug=request.tenant.slug)
    return redirect(hour.next.step.url_name, slug=request.tenant.slug)


@require_http_methods(["GET", "POST"])
@tenant_view(Role.ADMIN)
def trust_center(request: TenantRequest) -> HttpResponse:
    connection = connection_of_tenant()
    if request.method != "POST" or connection is None:
        form = TrustCenterForm(initial={"slug_id": connection.slug_id if connection else ""})
        return step_page(request, "trust_center", form=form)
    form = TrustCenterForm(request.POST)
    if save_trust_center(request, form):
        return go_on(request, "trust_center")
    return step_page(request, "trust_center", form=form, status=422)


@require_http_methods(["GET", "POST"])
@tenant_view(Role.ADMIN, asks_again=True)
def webhooks(request: TenantRequest) -> HttpResponse:
    """The address to register, the secret to enter, and whether the first delivery has come."""
    if is_poll(request):
        return step_page(request, "webhooks")
    catch_all = ensure_endpoints()[0]
    form = SecretForm(request.POST or None, endpoint=catch_all)
    if request.method == "POST" and form.is_valid():
        enter_secret(catch_all, form.cleaned_data["secret"], actor=request.user, keep_previous=form.keep_previous)
        messages.success(request, "Secret saved. Now send an example from the platform.")
        return redirect("first_hour:webhooks", slug=request.tenant.slug)
    return step_page(request, "webhooks", endpoint=catch_all, form=form, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@tenant_view(Role.ADMIN, asks_again=True)
def invite(request: TenantRequest) -> HttpResponse:
    """Invite one person after the other; the page stays until nobody else is to be invited."""
    form = InviteForm(request.POST or None, by=request.membership)
    if request.method == "POST" and form.is_valid():
        send_invitation(request, form)
        return redirect("first_hour:invite", slug=request.tenant.slug)
    invitations = Invitation.objects.order_by("-sent_at")
    return step_page(request, "invite", form=form, invitations=invitations, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@tenant_view(Role.ADMIN)
def hours(request: TenantRequest) -> HttpResponse:
    """When the team works; before anything is set, the zone of whoever sets it is the likely one."""
    known = office_hours()
    form = HoursForm(request.POST or None, hours=known if known.pk else OfficeHours(zone=request.user.timezone))
    if request.method == "POST" and form.is_valid():
        set_hours(zone=form.cleaned_data["zone"], week=form.week, member=request.membership)
        messages.success(request, "Office hours saved. Targets are being recalculated.")
        return go_on(request, "hours")
    return step_page(request, "hours", form=form, status=422 if form.errors else 200)


def _connect_page(request: TenantRequest, form: ConnectForm, *, status: int = 200, **extra: object) -> HttpResponse:
    context = {"form": form, "is_configured": bool(settings.PLATFORM_CLIENT_ID)}
    return step_page(request, "connect", status=status, may_connect=request.membership.may(Role.OWNER), **context, **extra)
