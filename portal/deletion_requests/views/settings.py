from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from portal.deletion_requests import selectors, services
from portal.deletion_requests.forms import DeskSettingsForm
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD"])
@tenant_view(Role.VIEWER)
@cache_control(no_store=True)  # it shows an address that opens without signing in
def desk(request: TenantRequest) -> HttpResponse:
    """How this tenant answers deletion requests: everybody may know it, admins may change it."""
    return render_desk(request, DeskSettingsForm(initial=vars(selectors.desk_settings())))


@require_POST
@tenant_view(Role.ADMIN)
def set_desk(request: TenantRequest) -> HttpResponse:
    form = DeskSettingsForm(request.POST)
    if not form.is_valid():
        return render_desk(request, form, status=422)
    services.set_desk_settings(**form.cleaned_data, member=request.membership)
    messages.success(request, "Saved. Existing requests keep their dates.")
    return redirect("deletion_requests:desk", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def intake_link(request: TenantRequest) -> HttpResponse:
    """Make the public page, or revoke it."""
    if "revoke" not in request.POST:
        services.make_link(member=request.membership)
        messages.success(request, "Public page created. Anyone with its address can send a request.")
    elif services.revoke_link(member=request.membership):
        messages.success(request, "Public page revoked. Its address no longer works.")
    else:
        messages.info(request, "There was no public page to revoke.")
    return redirect("deletion_requests:desk", slug=request.tenant.slug)


def render_desk(request: TenantRequest, form: DeskSettingsForm, *, status: int = 200) -> HttpResponse:
    link, is_admin = selectors.intake_link(), request.membership.may(Role.ADMIN)
    context = {
        "form": form,
        "link": link,
        # Whoever may not change it has no need of an address that opens something without a login.
        "public_url": settings.PUBLIC_URL + reverse("ask_for_erasure", args=[link.token]) if link and is_admin else "",
        "may_change": is_admin,
    }
    return render(request, "deletion_requests/settings.html", context, status=status)
