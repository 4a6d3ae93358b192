from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from portal.connections import selectors, services
from portal.connections.forms import ConnectForm, OwnApplicationForm
from portal.connections.models import Connection
from portal.connections.tasks import PROBE
from portal.connections.views.pages import connection_page
from portal.connections.views.refusals import words_of_own_application
from portal.lib.bell import ring
from portal.platform_api.errors import PlatformError
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.users.models import User
from portal.users.requests import SignedInRequest


@require_POST
@tenant_view(Role.OWNER)
def connect(request: TenantRequest) -> HttpResponse:
    """Send the browser to the platform's consent screen."""
    form = ConnectForm(request.POST)
    if not form.is_valid():
        return connection_page(request, connect_form=form, status=422)
    if request.session.session_key is None:
        request.session.save()
    start = services.start_connect(
        user=request.user, region=form.cleaned_data["region"], session_key=request.session.session_key or ""
    )
    if start.wait_seconds:
        return connection_page(request, connect_form=form, wait_seconds=round(start.wait_seconds + 0.5), status=503)
    return HttpResponseRedirect(start.url)


@require_POST
@tenant_view(Role.OWNER)
def own_application(request: TenantRequest) -> HttpResponse:
    """Connect with an application that the tenant made for itself on the platform."""
    form = OwnApplicationForm(request.POST, prefix="own")
    if not form.is_valid():
        return connection_page(request, own_form=form, status=422)
    try:
        connection = services.connect_own_application(user=request.user, **form.cleaned_data)
    except PlatformError as error:
        form.add_error(None, words_of_own_application(error))
        return connection_page(request, own_form=form, status=422)
    return _after_connecting(request, connection)


@login_not_required
@require_GET
@never_cache
def callback(request: HttpRequest) -> HttpResponse:
    """Where the platform sends the browser back to. The answer leaves this address at once: the code is in it."""
    user = request.user
    if not isinstance(user, User):
        # Not by way of `next`: that would copy the code and the state into another address.
        response: HttpResponse = redirect("account_login")
    else:
        response = _end_walk(request, user)
    response["Referrer-Policy"] = "no-referrer"
    return response


def _end_walk(request: HttpRequest, user: User) -> HttpResponse:
    walk = services.Walk(user, session_key=request.session.session_key or "", state=request.GET.get("state", ""))
    try:
        if "error" in request.GET:
            raise services.ConnectRefused("refused", tenant=services.refuse_connect(walk))
        connection = services.complete_connect(walk, code=request.GET.get("code", ""), issuer=request.GET.get("iss", ""))
    except services.ConnectRefused as refused:
        query = {"tenant": refused.tenant.slug} if refused.tenant else {}
        return redirect(reverse("connect_refused", args=[refused.reason], query=query))
    return _after_connecting(request, connection)


@require_GET
def refused(request: SignedInRequest, reason: str) -> HttpResponse:
    """Say in words why a walk through the consent screen did not end in a grant, and the way on."""
    membership = request.user.memberships.select_related("tenant").filter(tenant__slug=request.GET.get("tenant", "")).first()
    refusal = selectors.refusal(reason)
    context = {"title": refusal.title, "text": refusal.text, "tenant_of_flow": membership and membership.tenant}
    return render(request, "connections/refused.html", context)


def _after_connecting(request: HttpRequest, connection: Connection) -> HttpResponse:
    if connection.is_active:
        ring(PROBE, connection.tenant_id)
        messages.success(request, "Connected. The first copy of your work is on its way.")
    else:
        messages.warning(request, "Connected, and one question has to be answered first.")
    return redirect("connections:connection", slug=connection.tenant.slug)
