from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from portal.contracts import services
from portal.contracts.models import Contract
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.APPROVER)
def delete(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Say what goes and what stays, and delete a contract on the platform once its name was typed."""
    contract = get_object_or_404(Contract.objects.present(), platform_id=platform_id)
    typed, is_wrong = request.POST.get("name", ""), False
    if request.method == "POST":
        is_wrong = " ".join(typed.split()).casefold() != " ".join(contract.title.split()).casefold()
        if not is_wrong:
            try:
                services.remove_contract(contract, member=request.membership)
                messages.success(request, "Deletion requested. The result will show up on this page.")
            except services.NotPossible as refusal:
                messages.warning(request, str(refusal))
            return redirect("contracts:detail", slug=request.tenant.slug, platform_id=platform_id)
    context = {"contract": contract, "typed": typed, "is_wrong": is_wrong, "readiness": readiness("contract")}
    return render(request, "contracts/delete.html", context, status=422 if is_wrong else 200)
