from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from portal.connections.error_messages import Refusal
from portal.platform_api.errors import ValidationFailed
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.vendors import selectors, services
from portal.vendors.forms import FindingForm
from portal.vendors.kinds import VENDOR
from portal.vendors.models import Part, PartKind, Vendor
from portal.vendors.models.choices import ACCEPT
from portal.vendors.refusals import REFUSALS, refusal_for
from portal.vendors.services.writes import DECIDER


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new_finding(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Add a finding about a vendor. What was refused is said on the page, with everything that was typed."""
    vendor = vendor_written_about(request, platform_id)
    data = request.POST if request.method == "POST" else None
    form = FindingForm(data, may_accept=request.membership.may(DECIDER), reviews=selectors.review_options(vendor))
    if not form.is_valid():
        return show_form(request, form, vendor)
    review_id = form.cleaned_data.get("review", "")
    try:
        services.add_finding(vendor, form.text, review_id=review_id, member=request.membership)
    except REFUSALS as error:
        return show_form(request, form, vendor, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, f"Finding added: {vendor}")
    return redirect("vendors:vendor", slug=request.tenant.slug, platform_id=platform_id)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def edit_finding(request: TenantRequest, platform_id: str, finding_id: str) -> HttpResponse:
    """Change a finding. What was refused is said on the page, with everything that was typed."""
    vendor, may_accept = vendor_written_about(request, platform_id), request.membership.may(DECIDER)
    found = Part.objects.filter(vendor=vendor, kind=PartKind.FINDING, platform_id=finding_id).first()
    if found is None:
        return show_gone(request, vendor, finding_id)
    if found.payload.get("riskStatus") == ACCEPT and not may_accept:
        raise PermissionDenied
    form = FindingForm(request.POST if request.method == "POST" else None, may_accept=may_accept, finding=found)
    if not form.is_valid():
        return show_form(request, form, vendor, finding=found)
    if not set(form.changed_data) - {"seen"}:
        messages.info(request, "No changes, so nothing was sent.")
        return redirect("vendors:vendor", slug=request.tenant.slug, platform_id=platform_id)
    seen = form.cleaned_data["seen"]
    try:
        services.change_finding(vendor, found, form.text, seen=seen, member=request.membership)
    except services.ChangedMeanwhile as error:
        return show_changed(request, vendor, found, refusal_for(error, slug=request.tenant.slug))
    except REFUSALS as error:
        refusal = refusal_on(form, error, slug=request.tenant.slug)
        return show_form(request, form, vendor, finding=found, refusal=refusal)
    messages.success(request, f"Finding saved on the platform: {vendor}")
    return redirect("vendors:vendor", slug=request.tenant.slug, platform_id=platform_id)


def vendor_written_about(request: TenantRequest, platform_id: str) -> Vendor:
    """Return the vendor of a form. One that is gone meanwhile takes what was typed, too: it stays there (guarantee W2)."""
    rows = Vendor.objects.all() if request.method == "POST" else Vendor.objects.present()
    return get_object_or_404(rows, platform_id=platform_id)


def show_gone(request: TenantRequest, vendor: Vendor, finding_id: str) -> HttpResponse:
    """Show what was typed about a finding that is gone meanwhile."""
    if request.method != "POST":
        raise Http404
    form = FindingForm(request.POST, may_accept=request.membership.may(DECIDER))
    refusal = refusal_for(services.Gone(), slug=request.tenant.slug)
    return show_form(request, form, vendor, finding_id=finding_id, refusal=refusal)


def show_changed(request: TenantRequest, vendor: Vendor, finding: Part, refusal: Refusal) -> HttpResponse:
    """Show what somebody else has made of a finding above what the person typed; saved again, that replaces it."""
    finding.refresh_from_db()
    may_accept = request.membership.may(DECIDER)
    data = request.POST.copy()
    data["seen"] = FindingForm(may_accept=may_accept, finding=finding).version
    form = FindingForm(data, may_accept=may_accept, finding=finding)
    return show_form(request, form, vendor, finding=finding, refusal=refusal, has_changed=True)


def refusal_on(form: FindingForm, error: Exception, *, slug: str) -> Refusal | None:
    """Return what stands above a form that was refused; None where it stands beside a field."""
    is_shown = isinstance(error, ValidationFailed) and form.show_objections(error)
    return None if is_shown else refusal_for(error, slug=slug)


def show_form(
    request: TenantRequest,
    form: FindingForm,
    vendor: Vendor,
    *,
    finding: Part | None = None,
    finding_id: str = "",
    refusal: Refusal | None = None,
    has_changed: bool = False,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "vendor": vendor,
        "finding": selectors.finding_of(finding) if finding else None,
        "finding_id": finding.platform_id if finding else finding_id,
        "refusal": refusal,
        "has_changed": has_changed,
        "is_connected": readiness(VENDOR).is_connected,
    }
    return render(request, "vendors/finding_form.html", context, status=422 if form.is_bound else 200)
