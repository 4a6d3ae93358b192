from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests import services
from portal.access_requests.forms import DeskSettingsForm
from portal.access_requests.models import DeskSettings
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def desk_settings(request: TenantRequest) -> HttpResponse:
    """How requests are decided; everybody reads it, admins change it."""
    return show(request, DeskSettingsForm(settings=DeskSettings.objects.first() or DeskSettings()))


@require_POST
@tenant_view(Role.ADMIN)
def set_desk_settings(request: TenantRequest) -> HttpResponse:
    form = DeskSettingsForm(request.POST)
    if not form.is_valid():
        return show(request, form, status=422)
    services.set_desk_settings(**form.cleaned_data, member=request.membership)
    messages.success(request, "The settings are saved. They count for every decision from now on.")
    return redirect("access_requests:settings", slug=request.tenant.slug)


def show(request: TenantRequest, form: DeskSettingsForm, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "may_change": request.membership.may(Role.ADMIN)}
    return render(request, "access_requests/settings.html", context, status=status)
