from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal.platform_api.models.trust_center import TrustCenter as RemoteCenter
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.kinds import TRUST_CENTER_SETTINGS
from portal.trust_center.models import CenterSettings
from portal.trust_center.refusals import REFUSALS, Refusal, refusal_for
from portal.trust_center.settings_forms import CenterSettingsForm
from portal.trust_center.views.rendering import refusal_on


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ADMIN)
def edit_settings(request: TenantRequest) -> HttpResponse:
    """Change what is set for the Trust Center. What was refused is said on the page, with everything that was typed."""
    row = CenterSettings.objects.present().first()
    if row is None:
        return _show(request, None)
    form = CenterSettingsForm(request.POST if request.method == "POST" else None, found=RemoteCenter.read(row.payload))
    if not form.is_valid():
        return _show(request, form, row)
    if not set(form.changed_data) - {"seen"}:
        messages.info(request, "No changes, so nothing was sent.")
        return redirect("trust_center:edit_settings", slug=request.tenant.slug)
    said = form.cleaned_data
    try:
        services.change_settings(row, form.texts, is_public=said["is_public"], seen=said["seen"], member=request.membership)
    except services.ChangedMeanwhile as error:
        return _show_changed(request, row, refusal_for(error, slug=request.tenant.slug))
    except REFUSALS as error:
        return _show(request, form, row, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, "Settings saved on the platform.")
    return redirect("trust_center:edit_settings", slug=request.tenant.slug)


def _show_changed(request: TenantRequest, row: CenterSettings, refusal: Refusal) -> HttpResponse:
    """Show what somebody else has set above what the person typed; saved again, that replaces it."""
    row.refresh_from_db()
    now, data = RemoteCenter.read(row.payload), request.POST.copy()
    data["seen"] = services.settings_version(now)
    fields = CenterSettingsForm.base_fields
    facts = [(fields[name].label, text) for name, text in services.texts_of(now).items() if text]
    facts.append((fields["is_public"].label, "Yes" if now.is_public else "No"))
    return _show(request, CenterSettingsForm(data, found=now), row, refusal=refusal, facts=facts)


def _show(
    request: TenantRequest,
    form: CenterSettingsForm | None,
    row: CenterSettings | None = None,
    *,
    refusal: Refusal | None = None,
    facts: Sequence[tuple[object, str]] | None = None,
) -> HttpResponse:
    found = readiness(TRUST_CENTER_SETTINGS, needs_trust_center=True)
    context = {
        "form": form,
        "refusal": refusal,
        "now": facts,
        "events": selectors.events_of(TRUST_CENTER_SETTINGS, row.platform_id) if row else [],
        "readiness": found,
        "is_connected": found.is_connected,
    }
    return render(request, "trust_center/settings.html", context, status=422 if form and form.is_bound else 200)
