from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.contracts import services
from portal.contracts.forms import DocumentForm
from portal.contracts.models import Contract
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def hand_in(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Take the document of a contract that is on the platform already, for its text."""
    contract = get_object_or_404(Contract, platform_id=platform_id)
    form = DocumentForm(request.POST, request.FILES) if request.method == "POST" else DocumentForm()
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "contracts/hand_in.html", {"contract": contract, "form": form}, status=status)
    services.hand_in_for_reading(contract, form.cleaned_data["file"], member=request.membership)
    messages.success(request, "Extracting the text. It will show up on this page automatically.")
    return redirect("contracts:detail", slug=request.tenant.slug, platform_id=platform_id)


@require_POST
@tenant_view(Role.ANALYST)
def remove_text(request: TenantRequest, platform_id: str) -> HttpResponse:
    contract = get_object_or_404(Contract, platform_id=platform_id)
    if services.remove_text(contract, member=request.membership):
        messages.success(request, "Text removed.")
    else:
        messages.info(request, "There was no text to remove.")
    return redirect("contracts:detail", slug=request.tenant.slug, platform_id=platform_id)
