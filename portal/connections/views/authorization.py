from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from portal.connections import selectors, services
from portal.connections.form_actions import held_back, start_consent
from portal.connections.forms import ConnectForm, OwnApplicationForm
from portal.connections.models import Connection
from portal.connections.tasks import PROBE, SERVE
from portal.connections.views.pages import connection_page
from portal.connections.views.refusals import own_application_error
from portal.lib.enqueue import enqueue_on_commit
from portal.platform_api.errors import PlatformError
from portal.tenants.access import TenantRequest, membership_of, tenant_view
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
    start = start_consent(request, form)
    if wait := held_back(start):
        return connection_page(request, connect_form=form, held_back=wait, status=503)
    return HttpResponseRedirect(start.url)


@require_POST
@tenant_view(Role.OWNER, asks_again=True)
def own_application(request: TenantRequest) -> HttpResponse:
    """Connect with an application that the tenant made for itself on the platform."""
    form = OwnApplicationForm(request.POST, prefix="own")
    if not form.is_valid():
        return connection_page(request, own_form=form, status=422)
    try:
        connection = services.connect_own_application(user=request.user, **form.cleaned_data)
    except PlatformError as error:
        form.add_error(None, own_application_error(error))
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
        response = _finish_authorization(request, user)
    response["Referrer-Policy"] = "no-referrer"
    return response


def _finish_authorization(request: HttpRequest, user: User) -> HttpResponse:
    walk = services.AuthorizationResponse(
        user, session_key=request.session.session_key or "", state=request.GET.get("state", "")
    )
    try:
        issuer = request.GET.get("iss", "")
        if "error" in request.GET:
            services.refuse_connect(walk, error=request.GET["error"], issuer=issuer)
        connection = services.complete_connect(walk, code=request.GET.get("code", ""), issuer=issuer)
    except services.ConnectRefused as refused:
        query = {"tenant": refused.tenant.slug} if refused.tenant else {}
        return redirect(reverse("connect_refused", args=[refused.reason], query=query))
    return _after_connecting(request, connection)


@require_GET
def refused(request: SignedInRequest, reason: str) -> HttpResponse:
    """Say in words why a walk through the consent screen did not end in a grant, and the way on."""
    membership = membership_of(request.user, request.GET.get("tenant", ""))
    attempt = services.last_attempt(request.user, membership.tenant) if membership else None
    refusal = selectors.refusal(reason, attempt)
    context = {"title": refusal.title, "text": refusal.text, "tenant_of_flow": membership and membership.tenant}
    return render(request, "connections/refused.html", context)


def _after_connecting(request: HttpRequest, connection: Connection) -> HttpResponse:
    # What the new grant has replaced is to be ended at the platform.
    enqueue_on_commit(SERVE)
    if connection.is_active:
        enqueue_on_commit(PROBE, connection.tenant_id)
        messages.success(request, "Connected. The first copy of your work is on its way.")
        return redirect("first_hour:connected", slug=connection.tenant.slug)
    if connection.holds_grant:  # not where the tenant was deleted meanwhile
        messages.warning(request, "Connected. Confirm the account before anything is fetched.")
    return redirect("connections:connection", slug=connection.tenant.slug)
