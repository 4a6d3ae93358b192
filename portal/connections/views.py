from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from portal.audit.services import history
from portal.connections import selectors, services
from portal.connections.forms import ConnectForm, DisconnectForm, TrustCenterForm
from portal.lib.bell import ring
from portal.live.services import is_unchanged, stamp
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.users.models import User
from portal.users.requests import SignedInRequest

SWEEP = "portal.connections.tasks.sweep_suspensions"


@require_GET
@tenant_view(Role.VIEWER)
def connection(request: TenantRequest) -> HttpResponse:
    """The grant in words, with one main button per state. The status part polls this address while it is open."""
    seen = stamp("connection", "sync")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    template = "connections/connection.html#status" if request.htmx else "connections/connection.html"
    return render(request, template, _page(request, seen=seen))


@require_POST
@tenant_view(Role.OWNER)
def connect(request: TenantRequest) -> HttpResponse:
    """Send the browser to the platform's consent screen."""
    form = ConnectForm(request.POST)
    if not form.is_valid():
        return render(request, "connections/connection.html", _page(request, connect_form=form), status=422)
    if request.session.session_key is None:
        request.session.save()
    start = services.start_connect(
        user=request.user, region=form.cleaned_data["region"], session_key=request.session.session_key or ""
    )
    if start.wait_seconds:
        context = _page(request, connect_form=form, wait_seconds=round(start.wait_seconds + 0.5))
        return render(request, "connections/connection.html", context, status=503)
    return HttpResponseRedirect(start.url)


@login_not_required
@require_GET
@never_cache
def callback(request: HttpRequest) -> HttpResponse:
    """Where the platform sends the browser back to. The answer leaves this address at once: the code is in it."""
    user = request.user
    if not isinstance(user, User):
        # Not by way of `next`: that would copy the code and the state into another address.
        return redirect("account_login")
    state = request.GET.get("state", "")
    session_key = request.session.session_key or ""
    try:
        if "error" in request.GET:
            tenant = services.refuse_connect(user=user, session_key=session_key, state=state)
            raise services.ConnectRefused("refused", tenant=tenant)
        connection = services.complete_connect(
            user=user, session_key=session_key, state=state, code=request.GET.get("code", "")
        )
    except services.ConnectRefused as refused:
        response = redirect(_refusal_address(refused))
    else:
        messages.success(request, "Connected. The first copy of your work is on its way.")
        response = redirect("connections:connection", slug=connection.tenant.slug)
    response["Referrer-Policy"] = "no-referrer"
    return response


@require_GET
def refused(request: SignedInRequest, reason: str) -> HttpResponse:
    """Say in words why a walk through the consent screen did not end in a grant, and the way on."""
    membership = request.user.memberships.select_related("tenant").filter(tenant__slug=request.GET.get("tenant", "")).first()
    refusal = selectors.refusal(reason)
    context = {"title": refusal.title, "text": refusal.text, "tenant_of_flow": membership and membership.tenant}
    return render(request, "connections/refused.html", context, status=200)


@require_POST
@tenant_view(Role.OWNER)
def disconnect(request: TenantRequest) -> HttpResponse:
    form = DisconnectForm(request.POST, tenant=request.tenant)
    if not form.is_valid():
        return render(request, "connections/connection.html", _page(request, disconnect_form=form), status=422)
    connection = services.connection_of_tenant()
    if connection is not None:
        services.disconnect(connection, actor=request.user)
        ring(SWEEP)
    messages.success(request, "Disconnected. The portal holds no token any more.")
    return redirect("connections:connection", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def set_trust_center(request: TenantRequest) -> HttpResponse:
    if services.connection_of_tenant() is None:
        raise Http404("this tenant was never connected")
    form = TrustCenterForm(request.POST)
    if not form.is_valid():
        return render(request, "connections/connection.html", _page(request, trust_center_form=form), status=422)
    services.set_slug_id(form.cleaned_data["slug_id"], actor=request.user)
    messages.success(request, "Saved. The Trust Center's requests and viewers are being fetched.")
    return redirect("connections:connection", slug=request.tenant.slug)


def _refusal_address(refused: services.ConnectRefused) -> str:
    query = {"tenant": refused.tenant.slug} if refused.tenant else {}
    return reverse("connect_refused", args=[refused.reason], query=query)


def _page(request: TenantRequest, **extra: object) -> dict[str, object]:
    connection = services.connection_of_tenant()
    return {
        "connection": connection,
        "suspensions": selectors.suspensions(),
        "history": history("connection", str(connection.source_id)) if connection else [],
        "connect_form": ConnectForm(initial={"region": connection.region if connection else None}),
        "disconnect_form": DisconnectForm(tenant=request.tenant),
        "trust_center_form": TrustCenterForm(initial={"slug_id": connection.slug_id if connection else ""}),
        "is_configured": bool(settings.PLATFORM_CLIENT_ID),
        "may_connect": request.membership.may(Role.OWNER),
        "may_change": request.membership.may(Role.ADMIN),
        "stamp": stamp("connection", "sync"),
        **extra,
    }
