from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests import services
from portal.access_requests.deadlines import overdue_count
from portal.access_requests.forms import DeskSettingsForm
from portal.access_requests.models import Decision, DeskSettings
from portal.access_requests.selectors import waiting_figures
from portal.lib.counted import counted
from portal.page_refresh.services import cached_by_version
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
    messages.success(request, f"Saved. Applies to every decision from now on. {effect_now()}".strip())
    return redirect("access_requests:settings", slug=request.tenant.slug)


def effect_now() -> str:
    """Say what a new deadline means for the requests that wait already."""
    late = overdue_count(timezone.now())
    return f"Already past the deadline: {late} of {counted(waiting_figures().number, 'waiting request')}." if late else ""


def show(request: TenantRequest, form: DeskSettingsForm, *, status: int = 200) -> HttpResponse:
    asked = Decision.objects.awaiting_second()
    context = {
        "form": form,
        "may_change": request.membership.may(Role.ADMIN),
        "waiting": waiting_figures().number,
        "asked": cached_by_version("access_requests", "asked", asked.count),
    }
    return render(request, "access_requests/settings.html", context, status=status)
